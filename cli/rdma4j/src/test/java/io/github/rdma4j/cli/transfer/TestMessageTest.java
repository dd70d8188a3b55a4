// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.kernel.RdmaException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class TestMessageTest {
    private static ByteBuffer message(int size, int number) {
        ByteBuffer message = ByteBuffer.allocate(size);
        TestMessage.fill(message, number);
        return message;
    }

    @Test
    void isKnownByItsFirstLetters() {
        assertThat(HexFormat.of().formatHex(message(12, 0x0102_0304).array()))
                .isEqualTo("7264346a" + "01020304" + "0c0d0e0f");
    }

    @Test
    void tellsItsNumberAlsoWhenItIsCutShort() throws Exception {
        ByteBuffer message = message(1000, 700);
        assertThat(TestMessage.numberOf(message)).isEqualTo(700);
        assertThat(TestMessage.numberOf(message.slice(0, 8))).isEqualTo(700);
    }

    @Test
    void isForeignWhenItIsTooShortOrSomebodyElses() throws Exception {
        assertThat(TestMessage.numberOf(message(7, 1))).isEqualTo(TestMessage.FOREIGN);
        assertThat(TestMessage.numberOf(ByteBuffer.allocate(100))).isEqualTo(TestMessage.FOREIGN);
    }

    @Test
    void noticesAWrongByte() {
        ByteBuffer message = message(100, 5);
        message.put(99, (byte) ~message.get(99));
        assertThatThrownBy(() -> TestMessage.numberOf(message))
                .isInstanceOf(RdmaException.class)
                .hasMessage("message 5: data mismatch at byte 99");
    }
}
