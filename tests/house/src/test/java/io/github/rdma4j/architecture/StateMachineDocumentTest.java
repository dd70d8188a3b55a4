// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cm.CmState;
import io.github.rdma4j.internal.cm.CmCommand;
import io.github.rdma4j.internal.cm.CmStateMachine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The state table of the documentation is the one that the code runs on. */
class StateMachineDocumentTest {
    private static final Path DOCUMENT = Path.of("..", "..", "docs", "cm-state-machine.md");
    private static final String BEGIN = "<!-- begin of the table of CmStateMachine -->\n";
    private static final String END = "<!-- end of the table of CmStateMachine -->\n";

    private static final String ARROW = " → ";

    /** Set to write the table into the document instead of comparing it. */
    private static final String WRITE = "rdma4j.write.docs";

    @Test
    void holdsTheTableOfTheCode() throws IOException {
        String document = Files.readString(DOCUMENT);
        assertThat(document).contains(BEGIN, END);
        int begin = document.indexOf(BEGIN) + BEGIN.length();
        int end = document.indexOf(END);
        if (Boolean.getBoolean(WRITE)) {
            document = document.substring(0, begin) + table() + document.substring(end);
            Files.writeString(DOCUMENT, document);
            end = document.indexOf(END);
        }
        assertThat(document.substring(begin, end))
                .as(
                        "the table of %s. To write it anew: mvn -pl tests/house -am test -Dtest=%s"
                                + " -Dsurefire.failIfNoSpecifiedTests=false -D%s=true",
                        DOCUMENT.normalize(), getClass().getSimpleName(), WRITE)
                .isEqualTo(table());
    }

    private static String table() {
        StringBuilder table = new StringBuilder("| State | Commands | Events |\n|---|---|---|\n");
        for (CmState state : CmState.values()) {
            table.append("| ").append(state).append(" | ").append(commands(state));
            table.append(" | ").append(events(state)).append(" |\n");
        }
        return table.toString();
    }

    private static String commands(CmState state) {
        return Arrays.stream(CmCommand.values())
                .flatMap(command -> CmStateMachine.after(state, command).map(to -> command + ARROW + to).stream())
                .collect(Collectors.joining("<br>"));
    }

    private static String events(CmState state) {
        return CmStateMachine.eventsIn(state).stream()
                .map(event -> event + ARROW + CmStateMachine.after(state, event))
                .collect(Collectors.joining("<br>"));
    }
}
