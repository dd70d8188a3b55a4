// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.verbs.attr.Gid;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class TallyTest {
    private static final int SIZE = 20;
    private static final Gid SENDER = new Gid(1, 2);
    private static final int QPN = 17;

    private final Tally tally = new Tally(3, SIZE);

    private static ByteBuffer message(int number) {
        ByteBuffer message = ByteBuffer.allocate(SIZE);
        TestMessage.fill(message, number);
        return message;
    }

    private void count(ByteBuffer message) {
        tally.count(message, SENDER, QPN, QPN);
    }

    @Test
    void isContentWithAllMessagesInAnyOrder() {
        count(message(2));
        count(message(0));
        assertThat(tally.isComplete()).isFalse();
        count(message(1));
        assertThat(tally.isComplete()).isTrue();
        assertThat(tally.isBad()).isFalse();
        assertThat(tally)
                .hasToString("3 of 3 messages received, 0 lost, 3 verified, 0 of another program, 0 duplicate,"
                        + " 0 damaged");
    }

    @Test
    void countsWhatIsMissing() {
        count(message(1));
        assertThat(tally.lost()).isEqualTo(2);
        assertThat(tally.isBad()).isTrue();
        assertThat(tally).asString().startsWith("1 of 3 messages received, 2 lost");
    }

    @Test
    void tellsACopyFromAnotherSendersMessage() {
        count(message(0));
        tally.count(message(0), SENDER, QPN + 1, QPN + 1);
        assertThat(tally).asString().contains("2 verified").contains("0 duplicate");
        count(message(0));
        assertThat(tally).asString().contains("2 verified").contains("1 duplicate");
        assertThat(tally.isBad()).isTrue();
    }

    @Test
    void countsDamage() {
        count(message(0).put(SIZE - 1, (byte) 99));
        count(message(1).slice(0, SIZE - 1));
        tally.count(message(2), SENDER, QPN, QPN + 1);
        assertThat(tally).asString().contains("0 verified").contains("3 damaged");
        assertThat(tally.isBad()).isTrue();
    }

    @Test
    void takesWhatAnotherProgramSendsAsItIs() {
        for (int i = 0; i < 3; i++) {
            count(ByteBuffer.allocate(SIZE));
        }
        assertThat(tally).asString().contains("0 verified").contains("3 of another program");
        assertThat(tally.isBad()).isFalse();
    }
}
