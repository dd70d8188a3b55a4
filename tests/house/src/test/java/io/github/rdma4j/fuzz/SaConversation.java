// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.fuzz;

import io.github.rdma4j.internal.mad.MadHeader;
import io.github.rdma4j.internal.mad.RmppHeader;
import io.github.rdma4j.internal.mad.SaMethods;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.sm.SaClient;
import io.github.rdma4j.sm.SaOptions;
import io.github.rdma4j.sm.mad.InformInfo;
import io.github.rdma4j.sm.mad.McMemberRecord;
import io.github.rdma4j.sm.mad.SaRequest;
import io.github.rdma4j.umad.LocalPort;
import io.github.rdma4j.umad.MadAddress;
import io.github.rdma4j.umad.MadTransport;
import io.github.rdma4j.umad.ReceivedMad;
import io.github.rdma4j.verbs.attr.Gid;
import io.github.rdma4j.verbs.attr.LinkLayer;
import io.github.rdma4j.verbs.attr.PortAttr;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A client of subnet administration that asks for a table, and a peer that answers with whatever it likes: segments that do
 * not fit together, redirections, reports, answers to something else. When it has had its say an honest refusal follows, so
 * the request must be over then, with what is documented, and the client must be good for the next one.
 */
public final class SaConversation {
    private static final int PATIENCE_SECONDS = 20;
    private static final int MAX_REPLY = 16 << 10;
    private static final int GROUP_CREATED = 66;

    /** A record and the header of subnet administration, which RMPP counts with the data. */
    private static final int SEGMENT_BYTES = 76;

    /** NO_RECORDS, in the upper byte. */
    private static final int REFUSED = 0x0300;

    /** Of a MAD that the peer makes up, the bytes that it does not choose, so that it is taken for an answer. */
    private static final int CHOSEN_FROM = MadHeader.Layout.STATUS;

    private static final Peer PEER = new Peer();
    private static final SaClient CLIENT = client();

    private SaConversation() {}

    private static SaClient client() {
        try {
            SaClient client = SaClient.over(
                    PEER,
                    SaOptions.builder()
                            .attempts(1)
                            .firstTimeout(Duration.ofMinutes(1))
                            .maxReplyBytes(MAX_REPLY)
                            .build());
            client.subscribe(
                    InformInfo.ofTrap(GROUP_CREATED), Outcome::requirePrintable, Duration.ofSeconds(PATIENCE_SECONDS));
            return client;
        } catch (RdmaException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A segment of RMPP that is the first and the last, and one that is only the first. */
    static List<byte[]> seeds() {
        return List.of(segments(7), segments(3), segments(3, 5));
    }

    /** Segments with these flags, numbered from 1. */
    private static byte[] segments(int... flags) {
        byte[] all = new byte[flags.length * MadHeader.MAD_BYTES];
        for (int i = 0; i < flags.length; i++) {
            ByteBuffer mad = ByteBuffer.wrap(all, i * MadHeader.MAD_BYTES, MadHeader.MAD_BYTES)
                    .slice();
            new RmppHeader(RmppHeader.VERSION, RmppHeader.DATA, flags[i], 0, i + 1, SEGMENT_BYTES).encode(mad);
        }
        return all;
    }

    /** Called by the fuzzer. */
    public static void fuzzerTestOneInput(byte[] data) throws Exception {
        PEER.says(data);
        try {
            Outcome.of(CLIENT.submit(SaRequest.getTable(McMemberRecord.template()))
                    .get(PATIENCE_SECONDS, TimeUnit.SECONDS)::toString);
        } catch (ExecutionException e) {
            if (!(e.getCause() instanceof RdmaException)) {
                throw e;
            }
        } catch (TimeoutException e) {
            throw new AssertionError("the client does not come to an end", e);
        }
    }

    /** The port, and what is behind it. */
    private static final class Peer implements MadTransport {
        private static final LocalPort PORT = new LocalPort(
                "fuzzed0",
                1,
                PortAttr.State.ACTIVE.code(),
                LinkLayer.INFINIBAND,
                2,
                0,
                1,
                0,
                new Gid(0xfe80_0000_0000_0000L, 1),
                List.of(0xffff));

        private final BlockingQueue<ReceivedMad> toClient = new LinkedBlockingQueue<>();
        private byte[] script = new byte[0];

        void says(byte[] data) {
            script = data;
        }

        @Override
        public LocalPort port() {
            return PORT;
        }

        @Override
        public void send(MadAddress to, ByteBuffer mad, Duration timeout, int retries) {
            ByteBuffer request = ByteBuffer.allocate(MadHeader.MAD_BYTES).put(0, mad, mad.position(), mad.remaining());
            int method = request.get(MadHeader.Layout.METHOD);
            if (timeout.isZero()) {
                return; // an acknowledgement
            }
            if (method == SaMethods.SET) {
                deliver(to, answer(request, 0));
                return;
            }
            byte[] says = script;
            script = new byte[0]; // once; the redirected request gets the refusal only
            for (int at = 0; at < says.length; at += MadHeader.MAD_BYTES) {
                deliver(to, madeUp(request, Arrays.copyOfRange(says, at, at + MadHeader.MAD_BYTES)));
            }
            deliver(to, answer(request, REFUSED));
        }

        private void deliver(MadAddress from, ByteBuffer mad) {
            toClient.add(new ReceivedMad(0, from, mad));
        }

        private static ByteBuffer answer(ByteBuffer request, int status) {
            ByteBuffer answer = ByteBuffer.allocate(MadHeader.MAD_BYTES).put(0, request, 0, MadHeader.MAD_BYTES);
            answer.put(MadHeader.Layout.METHOD, (byte)
                    SaMethods.responseTo(Byte.toUnsignedInt(request.get(MadHeader.Layout.METHOD))));
            return answer.putShort(MadHeader.Layout.STATUS, (short) status);
        }

        /** The peer's first byte makes it an answer of this request, a report, or anything. */
        private static ByteBuffer madeUp(ByteBuffer request, byte[] bytes) {
            ByteBuffer mad = ByteBuffer.wrap(bytes);
            boolean anything = bytes[0] < 0;
            if (!anything) {
                boolean report = bytes[0] > Byte.MAX_VALUE / 2;
                mad.put(0, answer(request, 0), 0, CHOSEN_FROM);
                if (report) {
                    mad.put(MadHeader.Layout.METHOD, (byte) SaMethods.REPORT);
                } else {
                    mad.putLong(MadHeader.Layout.TRANSACTION_ID, request.getLong(MadHeader.Layout.TRANSACTION_ID));
                    mad.putShort(MadHeader.Layout.ATTRIBUTE_ID, request.getShort(MadHeader.Layout.ATTRIBUTE_ID));
                }
            }
            return mad;
        }

        @Override
        public Optional<ReceivedMad> receive(Duration timeout, int maxBytes) throws InterruptedException {
            return Optional.ofNullable(toClient.poll(timeout.toMillis(), TimeUnit.MILLISECONDS));
        }

        @Override
        public boolean reassembles() {
            return false;
        }

        @Override
        public void close() {
            // Lives as long as the fuzzer.
        }
    }
}
