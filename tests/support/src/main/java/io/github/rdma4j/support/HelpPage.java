// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;

/** The pages of {@code docs/help}, which the launcher shows before the command is built. */
public final class HelpPage {
    private HelpPage() {}

    /** Requires that a page is what its command prints; for modules in folders of folders. */
    public static void requireSame(String name, String printed) {
        assertThat(Path.of("../../docs/help", name + ".txt"))
                .as("what the command prints: write it into the page")
                .hasContent(printed);
    }
}
