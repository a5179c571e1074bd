// The page for a link that leads nowhere: ways back.

import { byId } from "../../../arena/src/report/assets/dom.js";
import { linkToTables } from "./ask.js";

linkToTables(byId("tables-link"));
byId("return").hidden = history.length < 2;
byId("return").addEventListener("click", () => history.back());
