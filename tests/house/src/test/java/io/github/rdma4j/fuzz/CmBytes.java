// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.fuzz;

import io.github.rdma4j.cli.transfer.TestMessage;
import io.github.rdma4j.internal.ucm.ConnParam;
import io.github.rdma4j.internal.ucm.GetEvent.EventReply;
import io.github.rdma4j.internal.ucm.IbService.IbServiceRecordBytes;
import io.github.rdma4j.internal.ucm.IbService.QueryIbServiceReply;
import io.github.rdma4j.internal.ucm.PathData;
import io.github.rdma4j.internal.ucm.Query.QueryAddrReply;
import io.github.rdma4j.internal.ucm.Query.QueryGidReply;
import io.github.rdma4j.internal.ucm.Query.QueryPathReply;
import io.github.rdma4j.internal.ucm.SockAddr;
import io.github.rdma4j.internal.ucm.UdParam;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.Grh;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What the connection manager tells of a peer: events with their private data, addresses, GIDs, paths, services, the
 * header in front of a datagram, and the messages of our own programs. The first byte says which, the rest is what the kernel
 * wrote.
 */
public final class CmBytes {
    /** More than the largest reply. */
    private static final int REPLY_BYTES = 2048;

    private static final int SEED_BYTES = 512;

    private static final List<Decoder> DECODERS = List.of(
            (in, length) -> EventReply.decode(in, 0, false),
            (in, length) -> EventReply.decode(in, 0, true),
            (in, length) -> QueryAddrReply.decode(in, 0),
            (in, length) -> QueryGidReply.decode(in, 0),
            (in, length) -> QueryPathReply.decode(in, 0, length),
            (in, length) -> QueryIbServiceReply.decode(in, 0, length),
            (in, length) -> PathData.decode(in, 0),
            (in, length) -> IbServiceRecordBytes.decode(in, 0),
            (in, length) -> ConnParam.decode(in, 0),
            (in, length) -> UdParam.decode(in, 0),
            (in, length) -> String.valueOf(SockAddr.decode(in, 0, length)),
            (in, length) -> Grh.decode(in, 0),
            (in, length) -> TestMessage.numberOf(in.limit(length)));

    @FunctionalInterface
    private interface Decoder {
        Object decode(ByteBuffer in, int length) throws RdmaException;
    }

    private CmBytes() {}

    /** One input for each decoder: zeros. */
    static List<byte[]> seeds() {
        return IntStream.range(0, DECODERS.size())
                .mapToObj(decoder -> {
                    byte[] seed = new byte[SEED_BYTES];
                    seed[0] = (byte) decoder;
                    return seed;
                })
                .toList();
    }

    /** Called by the fuzzer. */
    public static void fuzzerTestOneInput(byte[] data) {
        if (data.length == 0) {
            return;
        }
        Decoder decoder = DECODERS.get(Byte.toUnsignedInt(data[0]) % DECODERS.size());
        ByteBuffer reply =
                ByteBuffer.wrap(Arrays.copyOfRange(data, 1, 1 + REPLY_BYTES)).order(ByteOrder.nativeOrder());
        Outcome.of(() -> decoder.decode(reply, Math.min(data.length - 1, REPLY_BYTES)));
    }
}
