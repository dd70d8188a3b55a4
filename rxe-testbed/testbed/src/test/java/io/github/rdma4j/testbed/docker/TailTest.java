// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.docker;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class TailTest {
    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void piecesAreJoined() {
        AttachedContainer.Tail tail = new AttachedContainer.Tail();
        assertThat(tail).hasToString("");
        tail.add(bytes("a"));
        tail.add(bytes("b\n"));
        assertThat(tail).hasToString("ab\n");
    }

    @Test
    void onlyTheEndIsKept() {
        AttachedContainer.Tail tail = new AttachedContainer.Tail();
        tail.add(bytes("x".repeat(AttachedContainer.Tail.MOST)));
        tail.add(bytes("end"));
        assertThat(tail.toString()).hasSize(AttachedContainer.Tail.MOST).endsWith("xend");
    }
}
