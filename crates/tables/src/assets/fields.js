// Fields of a form that changes a position.

import { element } from "../../../arena/src/report/assets/dom.js";

/** A number with its name.
 * @param {string} label
 * @param {number} value
 * @param {[number, number]} range
 * @param {(value: number) => void} changed */
export function numberField(label, value, [least, most], changed) {
  const input = element("input", { type: "number", min: least, max: most, value, inputmode: "numeric" });
  input.addEventListener("change", () => changed(Math.max(least, Math.min(most, Math.round(Number(input.value)) || 0))));
  return element("label", { class: "field" }, `${label} `, input);
}

/** A text with its name.
 * @param {string} label
 * @param {string} value
 * @param {(value: string) => void} changed */
export function textField(label, value, changed) {
  const input = element("input", { value, spellcheck: "false", autocomplete: "off" });
  input.addEventListener("change", () => changed(input.value.trim()));
  return element("label", { class: "field wide-field" }, `${label} `, input);
}

/** Several fields with a name in common.
 * @param {string} name
 * @param {...Node} fields */
export const group = (name, ...fields) => element("fieldset", { class: "fields" }, element("legend", {}, name), ...fields);
