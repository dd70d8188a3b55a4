// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.fuzz;

import io.github.rdma4j.internal.mad.MadHeader;
import io.github.rdma4j.internal.mad.RmppHeader;
import io.github.rdma4j.internal.mad.SaHeader;
import io.github.rdma4j.kernel.MalformedReplyException;
import io.github.rdma4j.sm.mad.InformInfo;
import io.github.rdma4j.sm.mad.McMemberRecord;
import io.github.rdma4j.sm.mad.NodeRecord;
import io.github.rdma4j.sm.mad.Notice;
import io.github.rdma4j.sm.mad.PathTemplate;
import io.github.rdma4j.sm.mad.PortInfoRecord;
import io.github.rdma4j.sm.mad.SaRequest;
import io.github.rdma4j.sm.mad.ServiceRecord;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.IntStream;

/** The answers and reports of subnet administration. The first byte says as what the MAD behind it is read. */
public final class SaBytes {
    private static final int GROUP_CREATED = 66;

    private static final List<Decoder> DECODERS = List.of(
            MadHeader::decode,
            RmppHeader::decode,
            Notice::ofReport,
            SaRequest.classPortInfo()::decode,
            SaRequest.inform(InformInfo.ofTrap(GROUP_CREATED))::decode,
            SaRequest.get(McMemberRecord.template())::decode,
            SaRequest.getTable(McMemberRecord.template())::decode,
            SaRequest.get(PathTemplate.empty())::decode,
            SaRequest.getTable(PathTemplate.empty())::decode,
            SaRequest.set(ServiceRecord.template())::decode,
            SaRequest.getTable(ServiceRecord.template())::decode,
            SaRequest.getTable(NodeRecord.template())::decode,
            SaRequest.getTable(PortInfoRecord.template())::decode);

    @FunctionalInterface
    private interface Decoder {
        Object decode(ByteBuffer mad) throws MalformedReplyException;
    }

    private SaBytes() {}

    /** One whole MAD for each decoder. */
    static List<byte[]> seeds() {
        return IntStream.range(0, DECODERS.size())
                .mapToObj(decoder -> {
                    byte[] seed = new byte[1 + MadHeader.MAD_BYTES];
                    seed[0] = (byte) decoder;
                    seed[1 + MadHeader.Layout.BASE_VERSION] = MadHeader.BASE_VERSION;
                    // In units of eight bytes, its lower half: as long as the records of one decoder or another.
                    seed[1 + SaHeader.Layout.ATTRIBUTE_OFFSET + 1] = (byte) decoder;
                    return seed;
                })
                .toList();
    }

    /** Called by the fuzzer. */
    public static void fuzzerTestOneInput(byte[] data) {
        if (data.length > 0) {
            Decoder decoder = DECODERS.get(Byte.toUnsignedInt(data[0]) % DECODERS.size());
            ByteBuffer mad = ByteBuffer.wrap(data, 1, data.length - 1).slice();
            Outcome.of(() -> decoder.decode(mad));
        }
    }
}
