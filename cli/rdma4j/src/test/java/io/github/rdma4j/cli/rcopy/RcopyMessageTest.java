// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.rcopy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RcopyMessageTest {
    private static final String OPEN = "00012000a48100000807060504030201";

    private static ByteBuffer bytes(String hex) {
        return ByteBuffer.wrap(HexFormat.of().parseHex(hex));
    }

    @Test
    void aHeadHasTheLayoutOfC() throws Exception {
        RcopyMessage open = new RcopyMessage(RcopyMessage.OPEN, 32, 0100644, 0x0102030405060708L);
        assertThat(open.encode().flip()).isEqualTo(bytes(OPEN));
        assertThat(RcopyMessage.decode(bytes(OPEN))).isEqualTo(open);
    }

    @Test
    void aReplyRepeatsCommandAndId() throws Exception {
        RcopyMessage reply = new RcopyMessage(RcopyMessage.WRITE, RcopyMessage.WRITE_BYTES, 0, 7).reply(13);
        assertThat(reply).isEqualTo(new RcopyMessage(0x83, 16, 13, 7));
        assertThat(RcopyMessage.decode(reply.encode().flip())).isEqualTo(reply);
    }

    @ParameterizedTest
    @ValueSource(strings = {"01012000a48100000000000000000000", "00010000a48100000000000000000000"})
    void anotherVersionOrAShortLengthIsRefused(String hex) {
        assertThatThrownBy(() -> RcopyMessage.decode(bytes(hex)))
                .isInstanceOf(RcopyMessage.RcopyException.class)
                .hasMessageContaining("version 0 and a length of at least 16");
    }
}
