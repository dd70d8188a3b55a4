// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.umad;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.support.PoisonedBuffer;
import io.github.rdma4j.umad.MadAddress;
import io.github.rdma4j.verbs.attr.Gid;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Every byte of the structs, on a little-endian machine. */
class UserMadHeaderTest {
    private static final UserMadHeader HEADER = new UserMadHeader(
            0x01020304,
            110,
            0x11121314,
            3,
            320,
            new MadAddress(
                    0xbeef,
                    0xf,
                    0xab0001,
                    0x8001_0000,
                    0x0102,
                    Optional.of(new MadAddress.Grh(
                            new Gid(0xfe80_0000_0000_0000L, 0x0002_c903_00a0_0004L), 7, 64, 0x21, 0xabcde))));

    private static final String OLD = PoisonedBuffer.hex(
            "04030201 6e000000 14131211 03000000 40010000",
            "00ab0001 80010000 beef 0f 00 01 07 40 21",
            "fe800000000000000002c90300a00004 000abcde");

    @Test
    void withPkeyIndex() {
        assertThat(PoisonedBuffer.encoded(64, (out, base) -> HEADER.encode(out, base, 64)))
                .isEqualTo(OLD + "0201" + "000000000000");
        assertThat(UserMadHeader.decode(PoisonedBuffer.of(OLD, "0201 000000000000"), 0, 64))
                .isEqualTo(HEADER);
    }

    @Test
    void old() {
        assertThat(PoisonedBuffer.encoded(56, (out, base) -> HEADER.encode(out, base, 56)))
                .isEqualTo(OLD);
        assertThat(UserMadHeader.decode(PoisonedBuffer.of(OLD), 0, 56).peer().pkeyIndex())
                .isZero();
    }

    @Test
    void registrations() {
        assertThat(PoisonedBuffer.encoded(28, new RegisterAgent(1, 3, 2, 0, 0x40, 1)::encodeOld))
                .isEqualTo(PoisonedBuffer.hex("00000000 4000000000000000 0000000000000000 01 03 02 000000 01 00"));
        assertThat(PoisonedBuffer.encoded(40, new RegisterAgent(1, 3, 2, 1, 0x40, 1)::encode))
                .isEqualTo(PoisonedBuffer.hex(
                        "00000000 01000000 03 02 0000 01000000 4000000000000000 0000000000000000 00000000 01 000000"));
    }
}
