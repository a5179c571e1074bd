#!/bin/sh
# The smallest player of Tricky Eights, in POSIX shell: the first card of the pool, then the first card
# of its hand that the rules allow. The protocol is in docs/rules/eights.md.

# without LIST CARD: `rest` becomes the list without the card.
without() {
    rest=
    for each in $1; do
        [ "$each" = "$2" ] || rest="$rest $each"
    done
}

while read -r command words; do
    # shellcheck disable=SC2086 # a line is words
    set -- $words
    case $command in
    starthand)
        me=$1
        hand="$2 $3 $4 $5 $6 $7 $8 $9 ${10} ${11}"
        shift 11
        pool="$1 $2 $3 $4 $5 $6 $7 $8 $9 ${10} ${11} ${12}"
        ;;
    take)
        # Who took what before, then the own seat.
        while [ "$1" != "$me" ]; do
            without "$pool" "$2"
            pool=$rest
            shift 2
        done
        card=${pool# }
        card=${card%% *}
        hand="$hand $card"
        echo "$card"
        ;;
    aftertake)
        for word in "$@"; do
            without "$pool" "$word"
            pool=$rest
        done
        ;;
    play)
        card=${hand# }
        card=${card%% *}
        if [ "$1" != "$me" ]; then
            # The first letter of the card led is the suit to follow.
            for each in $hand; do
                case $each in
                "${2%?}"?)
                    card=$each
                    break
                    ;;
                esac
            done
        fi
        without "$hand" "$card"
        hand=$rest
        echo "$card"
        ;;
    esac
done
