// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.attr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.support.PoisonedBuffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

class GrhTest {
    private static final Gid IPV4_SOURCE = new Gid(0, 0xffff_0a4d_0001L);
    private static final Gid IPV4_GROUP = new Gid(0, 0xffff_ef01_0203L);

    /** With leftovers before the IPv4 header, where nothing is promised. */
    private static ByteBuffer ipv4() {
        return PoisonedBuffer.of(
                "a5a5",
                "00000000 00000000 00000000 00000000 00000000",
                "45", // version, words
                "b8", // tos
                "0034", // tot_len
                "0001 4000", // id, frag_off
                "3f", // ttl
                "11", // protocol
                "0000", // check
                "0a4d0001", // saddr
                "ef010203"); // daddr
    }

    @Test
    void readsIpv4FromTheEnd() {
        assertThat(Grh.decode(ipv4(), 2)).isEqualTo(new Grh(IPV4_SOURCE, IPV4_GROUP, 0xb8, 0, 63));
        assertThat(Grh.decode(ipv4().order(ByteOrder.BIG_ENDIAN), 2))
                .isEqualTo(new Grh(IPV4_SOURCE, IPV4_GROUP, 0xb8, 0, 63));
    }

    /** A device need not write the 20 bytes before the header, and a buffer that is used again holds what was there. */
    @Test
    void readsIpv4AlsoWhenWhatIsBeforeItLooksLikeIpv6() {
        ByteBuffer in = ipv4();
        in.put(2, (byte) 0x60);
        in.put(2 + 20 + 10, (byte) 0x3f); // check
        in.put(2 + 20 + 11, (byte) 0xae);
        assertThat(Grh.decode(in, 2)).isEqualTo(new Grh(IPV4_SOURCE, IPV4_GROUP, 0xb8, 0, 63));
    }

    @Test
    void readsIpv6() {
        ByteBuffer in = PoisonedBuffer.of(
                "6 b8 abcde".replace(" ", ""), // version, traffic class, flow label
                "0020", // paylen
                "11", // next_hdr
                "40", // hop_limit
                "fd770000 00000000 00000000 00000001", // sgid
                "45770000 00000000 00000000 00000002"); // dgid
        assertThat(Grh.decode(in, 0))
                .isEqualTo(new Grh(
                        new Gid(0xfd77_0000_0000_0000L, 1), new Gid(0x4577_0000_0000_0000L, 2), 0xb8, 0xabcde, 64));
    }

    @Test
    void refusesWhatIsNeither() {
        assertThatThrownBy(() -> Grh.decode(ByteBuffer.allocate(Grh.BYTES), 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("neither");
    }

    @Test
    void refusesTooFewBytes() {
        assertThatThrownBy(() -> Grh.decode(ipv4().slice(0, 30), 0)).isInstanceOf(IndexOutOfBoundsException.class);
    }
}
