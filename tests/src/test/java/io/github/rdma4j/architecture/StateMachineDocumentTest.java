// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cm.CmStateMachine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The state table of the documentation is the one that the code runs on. */
class StateMachineDocumentTest {
    private static final Path DOCUMENT = Path.of("..", "docs", "cm-state-machine.md");
    private static final String BEGIN = "<!-- begin CmStateMachine.toMarkdown() -->\n";
    private static final String END = "<!-- end CmStateMachine.toMarkdown() -->\n";

    /** Set to write the table into the document instead of comparing it. */
    private static final String WRITE = "rdma4j.write.docs";

    @Test
    void holdsTheTableOfTheCode() throws IOException {
        String document = Files.readString(DOCUMENT);
        assertThat(document).contains(BEGIN, END);
        int begin = document.indexOf(BEGIN) + BEGIN.length();
        int end = document.indexOf(END);
        if (Boolean.getBoolean(WRITE)) {
            document = document.substring(0, begin) + CmStateMachine.toMarkdown() + document.substring(end);
            Files.writeString(DOCUMENT, document);
            end = document.indexOf(END);
        }
        assertThat(document.substring(begin, end))
                .as(
                        "the table of %s. To write it anew: mvn -pl tests -am test -Dtest=%s"
                                + " -Dsurefire.failIfNoSpecifiedTests=false -D%s=true",
                        DOCUMENT.normalize(), getClass().getSimpleName(), WRITE)
                .isEqualTo(CmStateMachine.toMarkdown());
    }
}
