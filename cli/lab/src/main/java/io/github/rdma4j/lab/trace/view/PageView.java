// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.trace.view;

import io.github.rdma4j.lab.trace.timeline.Entry;
import java.io.IOException;
import java.util.List;

/** A time line as a page of HTML that needs no other file and no network. */
public final class PageView {
    private PageView() {}

    /** The page. */
    public static String of(String title, List<Entry> entries) throws IOException {
        return Resources.text("page.html")
                .replace("@STYLE@", Resources.text("diagram.css"))
                .replace("@TITLE@", SvgView.escaped(title))
                .replace("@SVG@", SvgView.of(entries))
                .replace("@TEXT@", SvgView.escaped(TextView.of(entries)))
                // The only text that could end the element of the script.
                .replace("@JSON@", JsonView.of(entries).replace("</", "<\\/"));
    }
}
