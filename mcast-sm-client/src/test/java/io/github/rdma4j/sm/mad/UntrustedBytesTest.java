// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm.mad;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.internal.mad.MadHeader;
import io.github.rdma4j.internal.mad.RmppHeader;
import io.github.rdma4j.internal.mad.SaHeader;
import io.github.rdma4j.kernel.MalformedReplyException;
import io.github.rdma4j.support.NewSeed;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Bytes that anybody on the subnet may have sent. */
class UntrustedBytesTest {
    private static final List<RecordType<?>> TYPES = List.of(
            ClassPortInfo.TYPE,
            InformInfo.TYPE,
            McMemberRecord.TYPE,
            NodeRecord.TYPE,
            Notice.RECORD_TYPE,
            PathTemplate.TYPE,
            PortInfoRecord.TYPE,
            ServiceRecord.TYPE);

    /** Decodes in every way there is; anything but the documented exception fails the test. */
    private static int decode(ByteBuffer mad) {
        int decoded = 0;
        for (RecordType<?> type : TYPES) {
            try {
                MadHeader.decode(mad);
                RmppHeader.decode(mad);
                type.decodeOne(mad);
                decoded++;
                decoded += type.decodeTable(mad).size();
            } catch (MalformedReplyException expected) {
                assertThat(expected).hasMessageContaining("malformed");
            }
        }
        return decoded;
    }

    @Test
    void everyLength() {
        byte[] whole = Recorded.reply("many-groups").array();
        for (int length = 0; length < whole.length; length++) {
            ByteBuffer cut = ByteBuffer.wrap(whole).limit(length).slice();
            int decoded = decode(cut);
            if (length < SaHeader.Layout.END + InformInfo.TYPE.bytes()) {
                assertThat(decoded).as("%d bytes", length).isZero();
            }
        }
        assertThat(decode(ByteBuffer.wrap(whole))).isPositive();
    }

    @Test
    void anyBytes() {
        SplittableRandom random = new SplittableRandom(NewSeed.of("UntrustedBytesTest"));
        int decoded = 0;
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = new byte[random.nextInt(600)];
            random.nextBytes(bytes);
            if (bytes.length > 0) {
                bytes[0] = MadHeader.BASE_VERSION;
            }
            if (bytes.length > SaHeader.Layout.ATTRIBUTE_OFFSET) {
                bytes[SaHeader.Layout.ATTRIBUTE_OFFSET] = 0;
            }
            decoded += decode(ByteBuffer.wrap(bytes));
        }
        assertThat(decoded).isPositive();
    }

    @Test
    void noMoreRecordsThanBytes() throws MalformedReplyException {
        ByteBuffer mad = Recorded.reply("groups");
        assertThat(McMemberRecord.TYPE.decodeTable(mad)).hasSize(1);
        mad.limit(mad.limit() - 1);
        assertThat(McMemberRecord.TYPE.decodeTable(mad)).isEmpty();
    }

    @Test
    void noRecordsWithoutAnOffset() throws MalformedReplyException {
        ByteBuffer mad = Recorded.reply("groups").putShort(SaHeader.Layout.ATTRIBUTE_OFFSET, (short) 0);
        assertThat(McMemberRecord.TYPE.decodeTable(mad)).isEmpty();
    }

    @Test
    void anOffsetShorterThanTheRecord() {
        ByteBuffer mad = Recorded.reply("groups").putShort(SaHeader.Layout.ATTRIBUTE_OFFSET, (short) 6);
        assertThatThrownBy(() -> McMemberRecord.TYPE.decodeTable(mad))
                .isInstanceOf(MalformedReplyException.class)
                .hasMessageContaining("byte 44");
    }

    @Test
    void anotherBaseVersion() {
        ByteBuffer mad = Recorded.reply("groups").put(0, (byte) 0x80);
        assertThatThrownBy(() -> MadHeader.decode(mad)).isInstanceOf(MalformedReplyException.class);
    }
}
