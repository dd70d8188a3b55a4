// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.calls;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What is told of an operation that costs more, or less, than its table says. */
class CallTableTest {
    private final CallTable table = CallTable.parse("""
            # a comment

            ECHO 2 POST_SEND
            ECHO 0-1.5 GET_EVENT in vain
            JOIN 1 JOIN_MCAST
            """);

    private static String printed(String call, double count) {
        return "ECHO\t" + call + "\t" + count + "\n";
    }

    @Test
    void theNumbersOfTheTableAreRight() {
        assertThat(table.differences("ECHO", "a warning\n" + printed("POST_SEND", 2)))
                .isEmpty();
        assertThat(table.differences("ECHO", printed("POST_SEND", 2) + printed("GET_EVENT in vain", 1.5)))
                .isEmpty();
    }

    @Test
    void moreAndFewerAreDifferences() {
        assertThat(table.differences("ECHO", printed("POST_SEND", 3) + printed("GET_EVENT in vain", 2)))
                .containsExactly(
                        "ECHO 3.00 POST_SEND, the table has 2.00",
                        "ECHO 2.00 GET_EVENT in vain, the table has 0.00 to 1.50");
        assertThat(table.differences("ECHO", "")).containsExactly("ECHO 0 POST_SEND, the table has 2.00");
    }

    @Test
    void aCallThatTheTableDoesNotHaveIsADifference() {
        assertThat(table.differences("ECHO", printed("POST_SEND", 2) + printed("clock_gettime", 0.04)))
                .isEmpty();
        assertThat(table.differences("ECHO", printed("POST_SEND", 2) + printed("clock_gettime", 1)))
                .containsExactly("ECHO 1.00 clock_gettime, the table has 0.00");
    }

    @Test
    void itKnowsItsOperations() {
        assertThat(table.has("JOIN")).isTrue();
        assertThat(table.has("REGISTRATION")).isFalse();
    }
}
