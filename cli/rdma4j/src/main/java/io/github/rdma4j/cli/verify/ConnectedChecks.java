// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.verify;

import static io.github.rdma4j.cli.verify.CheckFailedException.expect;

import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.QueuePairType;
import io.github.rdma4j.verbs.attr.WorkCompletionOpcode;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.IntStream;

/** Every kind of work request of a connected queue pair; each byte is compared. */
final class ConnectedChecks {
    private static final int LARGE = 1 << 20;
    private static final int NUMBER = 0x0102_0304;
    private static final int MOST_PIECES = 16;

    private ConnectedChecks() {}

    static List<Check> all() {
        return List.of(
                Check.of("RC: send, 0 bytes to 1 MiB", card -> send(card, QueuePairType.RC)),
                Check.of("RC: send with immediate data", card -> sendWithImmediate(card, QueuePairType.RC)),
                Check.of("RC: RDMA write, at every offset", card -> write(card, QueuePairType.RC)),
                Check.of("RC: RDMA write with immediate data", card -> writeWithImmediate(card, QueuePairType.RC)),
                Check.of("RC: RDMA read, 0 bytes to 1 MiB", ConnectedChecks::read),
                Check.of("RC: fetch and add", ConnectedChecks::fetchAndAdd),
                Check.of("RC: compare and swap", ConnectedChecks::compareAndSwap),
                Check.of("RC: inline data of every length", card -> inline(card, QueuePairType.RC)),
                Check.of("RC: gather and scatter, empty pieces", ConnectedChecks::pieces),
                Check.of("RC: a fence waits for reads", ConnectedChecks::fence),
                Check.of("UC: send", card -> send(card, QueuePairType.UC)),
                Check.of("UC: send with immediate data", card -> sendWithImmediate(card, QueuePairType.UC)),
                Check.of("UC: RDMA write, at every offset", card -> write(card, QueuePairType.UC)),
                Check.of("UC: RDMA write with immediate data", card -> writeWithImmediate(card, QueuePairType.UC)),
                Check.of("UC: inline data of every length", card -> inline(card, QueuePairType.UC)));
    }

    private static Wire large(Card card, QueuePairType type) throws Exception {
        return Wire.open(card, Wire.Setup.of(type).bytes(LARGE));
    }

    private static int[] lengths(Card card) {
        int mtu = card.mtu();
        return new int[] {0, 1, 2, 63, 64, 65, 1000, mtu - 1, mtu, mtu + 1, 3 * mtu + 7, 65_536, LARGE};
    }

    private static String figures(Card card) {
        return lengths(card).length + " lengths";
    }

    private static String send(Card card, QueuePairType type) throws Exception {
        try (Wire wire = large(card, type)) {
            for (int length : lengths(card)) {
                wire.client().fill(length);
                wire.server().clear();
                wire.server().receive(length, 0, LARGE);
                wire.client().post(wire.client().request(1, length).send());
                WorkCompletion received = wire.server().success(length);
                expect("opcode", received.opcode(), WorkCompletionOpcode.RECV);
                expect("number of bytes", received.byteLength(), length);
                expect(!received.hasImmediate(), "immediate data came that was not sent");
                expect("opcode", wire.client().success(1).opcode(), WorkCompletionOpcode.SEND);
                wire.server().expectBytes(wire.client(), 0, length);
            }
        }
        return figures(card);
    }

    private static String sendWithImmediate(Card card, QueuePairType type) throws Exception {
        int[] numbers = {0, 1, NUMBER, -1, Integer.MIN_VALUE};
        try (Wire wire = Wire.open(card, Wire.Setup.of(type))) {
            for (int number : numbers) {
                wire.server().receive(2, 0, 64);
                wire.client().post(wire.client().request(1, 64).sendWithImmediate(number));
                WorkCompletion received = wire.server().success(2);
                expect(received.hasImmediate(), "no immediate data came");
                expect("immediate data", received.immediate(), number);
                wire.client().success(1);
            }
        }
        return numbers.length + " numbers";
    }

    private static String write(Card card, QueuePairType type) throws Exception {
        int offsets = 64;
        try (Wire wire = Wire.open(card, Wire.Setup.of(type))) {
            for (int offset = 0; offset <= offsets; offset++) {
                wire.client().fill(offset);
                wire.server().clear();
                wire.client().post(writing(wire, offset, 3000 + offset));
                WorkCompletion written = wire.client().success(1);
                expect("opcode", written.opcode(), WorkCompletionOpcode.RDMA_WRITE);
                wire.server().expectBytes(wire.client(), offset, 3000 + offset);
            }
            wire.server().expectNoCompletion();
        }
        return (offsets + 1) + " offsets";
    }

    private static SendWorkRequest writing(Wire wire, int at, int length) {
        return wire.client()
                .request(1, length)
                .rdmaWrite(
                        wire.server().region().iova() + at,
                        wire.server().region().rkey());
    }

    private static String writeWithImmediate(Card card, QueuePairType type) throws Exception {
        try (Wire wire = large(card, type)) {
            for (int length : lengths(card)) {
                wire.client().fill(length);
                wire.server().clear();
                wire.server().qp().postReceive(new ReceiveWorkRequest(0).wrId(2));
                Side server = wire.server();
                wire.client()
                        .post(wire.client()
                                .request(1, length)
                                .rdmaWriteWithImmediate(
                                        server.region().iova(), server.region().rkey(), NUMBER + length));
                WorkCompletion received = server.success(2);
                expect("opcode", received.opcode(), WorkCompletionOpcode.RECV_RDMA_WITH_IMM);
                expect("immediate data", received.immediate(), NUMBER + length);
                wire.client().success(1);
                server.expectBytes(wire.client(), 0, length);
            }
        }
        return figures(card);
    }

    private static String read(Card card) throws Exception {
        try (Wire wire = large(card, QueuePairType.RC)) {
            Side from = wire.server();
            for (int length : lengths(card)) {
                from.fill(length);
                wire.client().clear();
                wire.client()
                        .post(wire.client()
                                .request(1, length)
                                .rdmaRead(from.region().iova(), from.region().rkey()));
                expect("opcode", wire.client().success(1).opcode(), WorkCompletionOpcode.RDMA_READ);
                wire.client().expectBytes(from, 0, length);
            }
        }
        return figures(card);
    }

    private static void requireAtomics(Card card) throws LeftOutException {
        if (!card.hasAtomics()) {
            throw new LeftOutException("not on this device: it has no atomics");
        }
    }

    private static String fetchAndAdd(Card card) throws Exception {
        requireAtomics(card);
        long[] numbers = {1, -1, Long.MAX_VALUE, 0x0102_0304_0506_0708L};
        try (Wire wire = Wire.rc(card)) {
            long sum = 40;
            wire.server().buffer().putLong(64, sum);
            for (long number : numbers) {
                wire.client()
                        .post(wire.client()
                                .request(1, Long.BYTES)
                                .fetchAndAdd(
                                        wire.server().region().iova() + 64,
                                        wire.server().region().rkey(),
                                        number));
                expect("opcode", wire.client().success(1).opcode(), WorkCompletionOpcode.FETCH_ADD);
                expect("what was there", wire.client().buffer().getLong(0), sum);
                sum += number;
                expect("the sum", wire.server().buffer().getLong(64), sum);
            }
        }
        return numbers.length + " additions";
    }

    private static String compareAndSwap(Card card) throws Exception {
        requireAtomics(card);
        try (Wire wire = Wire.rc(card)) {
            wire.server().buffer().putLong(64, -5);
            swap(wire, -5, NUMBER);
            expect("what was there", wire.client().buffer().getLong(0), -5L);
            swap(wire, -5, 1);
            expect("what was there", wire.client().buffer().getLong(0), (long) NUMBER);
            expect("what is there", wire.server().buffer().getLong(64), (long) NUMBER);
        }
        return "";
    }

    private static void swap(Wire wire, long expected, long swap) throws Exception {
        Side server = wire.server();
        wire.client()
                .post(wire.client()
                        .request(1, Long.BYTES)
                        .compareAndSwap(
                                server.region().iova() + 64, server.region().rkey(), expected, swap));
        expect("opcode", wire.client().success(1).opcode(), WorkCompletionOpcode.COMP_SWAP);
    }

    private static String inline(Card card, QueuePairType type) throws Exception {
        int asked = 128;
        try (Wire wire = Wire.open(card, Wire.Setup.of(type).with(options -> options.maxInline(asked)))) {
            wire.client().fill(1);
            for (int length = 0; length <= asked; length++) {
                wire.server().clear();
                wire.server().receive(2, 0, 4096);
                ByteBuffer data = wire.client().buffer().slice(0, length);
                wire.client()
                        .post(new SendWorkRequest(0).wrId(1).send().inline(data).signaled());
                expect("number of bytes", wire.server().success(2).byteLength(), length);
                wire.client().success(1);
                wire.server().expectBytes(wire.client(), 0, length);
            }
        }
        return "0 to " + asked + " bytes";
    }

    private static String pieces(Card card) throws Exception {
        int most = Math.min(MOST_PIECES, card.attributes().maxSge());
        try (Wire wire = Wire.open(
                card,
                Wire.Setup.of(QueuePairType.RC)
                        .with(options -> options.maxSendSge(most).maxReceiveSge(most)))) {
            for (int count = 1; count <= most; count++) {
                wire.client().fill(count);
                wire.server().clear();
                int total =
                        IntStream.range(0, count).map(ConnectedChecks::piece).sum();
                ReceiveWorkRequest receive = new ReceiveWorkRequest(most).wrId(2);
                SendWorkRequest request =
                        new SendWorkRequest(most).wrId(1).send().signaled();
                int at = 0;
                for (int i = 0; i < count; i++) {
                    request.add(wire.client().region(), at, piece(i));
                    at += piece(i);
                    // Other pieces than those of the sender, and together one byte more.
                    int end = (i + 1) * (total + 1) / count;
                    int start = i * (total + 1) / count;
                    receive.add(wire.server().region(), start, end - start);
                }
                wire.server().qp().postReceive(receive);
                wire.client().post(request);
                expect("number of bytes", wire.server().success(2).byteLength(), total);
                wire.client().success(1);
                wire.server().expectBytes(wire.client(), 0, total);
            }
        }
        return "1 to " + most + " pieces";
    }

    /** The length of a piece; each third is empty. */
    private static int piece(int number) {
        return number % 3 == 1 ? 0 : 1 + 37 * number;
    }

    /** Without the fence the send may leave before the data of the read has come. */
    private static String fence(Card card) throws Exception {
        int rounds = 200;
        try (Wire wire = Wire.rc(card)) {
            Side client = wire.client();
            Side server = wire.server();
            for (int i = 0; i < rounds; i++) {
                server.fill(i);
                server.receive(2, 4096, 64);
                SendWorkRequest[] both = {
                    client.request(1, 64)
                            .unsignaled()
                            .rdmaRead(server.region().iova(), server.region().rkey()),
                    client.request(3, 64).send().fenced()
                };
                expect("number of requests posted", client.qp().postSend(both, both.length), both.length);
                server.success(2);
                client.success(3);
                int wrong =
                        server.buffer().slice(0, 64).mismatch(server.buffer().slice(4096, 64));
                expect(wrong < 0, "the data of the read was sent before it had come");
            }
        }
        return rounds + " rounds";
    }
}
