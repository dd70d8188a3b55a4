// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.verify;

import static io.github.rdma4j.cli.verify.Check.CheckFailedException.expect;
import static io.github.rdma4j.cli.verify.Check.LeftOutException.leaveOutIf;

import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.QueuePairType;
import io.github.rdma4j.verbs.attr.WorkCompletionOpcode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Every kind of work request of a connected queue pair; each byte is compared. */
final class ConnectedChecks {
    private static final int LARGE = 1 << 20;
    private static final int NUMBER = 0x0102_0304;
    private static final int MOST_PIECES = 16;
    private static final int INLINE = 128;
    private static final String NO_IMMEDIATE = "has no immediate data";
    private static final Wire.Setup RC = Wire.Setup.of(QueuePairType.RC);

    private ConnectedChecks() {}

    static List<Check> all() {
        List<Check> checks = new ArrayList<>(ofBoth(QueuePairType.RC));
        checks.add(Check.of("RC: RDMA read, 0 bytes to 1 MiB", RC.bytes(LARGE), ConnectedChecks::read));
        checks.add(Check.of("RC: fetch and add", RC, ConnectedChecks::fetchAndAdd));
        checks.add(Check.of("RC: compare and swap", RC, ConnectedChecks::compareAndSwap));
        checks.add(Check.of("RC: gather and scatter, empty pieces", ConnectedChecks::pieces));
        checks.add(Check.of("RC: a fence waits for reads", RC, ConnectedChecks::fence));
        for (Check check : ofBoth(QueuePairType.UC)) {
            checks.add(check.exceptOnIwarp("has no queue pairs of the type UC"));
        }
        return checks;
    }

    /** The checks of both types of connected queue pairs. */
    private static List<Check> ofBoth(QueuePairType type) {
        Wire.Setup setup = Wire.Setup.of(type);
        return List.of(
                Check.of(
                        type == QueuePairType.RC ? "RC: send, 0 bytes to 1 MiB" : "UC: send",
                        setup.bytes(LARGE),
                        ConnectedChecks::send),
                Check.of(type + ": send with immediate data", setup, ConnectedChecks::sendWithImmediate)
                        .exceptOnIwarp(NO_IMMEDIATE),
                Check.of(type + ": RDMA write, at every offset", setup, ConnectedChecks::write),
                Check.of(
                                type + ": RDMA write with immediate data",
                                setup.bytes(LARGE),
                                ConnectedChecks::writeWithImmediate)
                        .exceptOnIwarp(NO_IMMEDIATE),
                Check.of(type + ": inline data of every length", card -> inline(card, type)));
    }

    private static int[] lengths(Wire wire) {
        int mtu = wire.card.mtu();
        return new int[] {0, 1, 2, 63, 64, 65, 1000, mtu - 1, mtu, mtu + 1, 3 * mtu + 7, 65_536, LARGE};
    }

    private static String send(Wire wire) throws Exception {
        for (int length : lengths(wire)) {
            wire.prepare(length);
            wire.server.receive(length, 0, LARGE);
            wire.client.send(1, length);
            WorkCompletion received = wire.server.success(length);
            expect("opcode", received.opcode(), WorkCompletionOpcode.RECV);
            expect("number of bytes", received.byteLength(), length);
            expect(!received.hasImmediate(), "immediate data came that was not sent");
            expect("opcode", wire.client.success(1).opcode(), WorkCompletionOpcode.SEND);
            wire.server.expectBytes(wire.client, 0, length);
        }
        return lengths(wire).length + " lengths";
    }

    private static String sendWithImmediate(Wire wire) throws Exception {
        int[] numbers = {0, 1, NUMBER, -1, Integer.MIN_VALUE};
        for (int number : numbers) {
            wire.server.receive(2, 0, 64);
            wire.client.post(wire.client.request(1, 64).sendWithImmediate(number));
            WorkCompletion received = wire.server.success(2);
            expect(received.hasImmediate(), "no immediate data came");
            expect("immediate data", received.immediate(), number);
            wire.client.success(1);
        }
        return numbers.length + " numbers";
    }

    private static String write(Wire wire) throws Exception {
        int offsets = 64;
        for (int offset = 0; offset <= offsets; offset++) {
            wire.prepare(offset);
            wire.client.post(wire.client
                    .request(1, 3000 + offset)
                    .rdmaWrite(wire.server.region.iova() + offset, wire.server.region.rkey()));
            expect("opcode", wire.client.success(1).opcode(), WorkCompletionOpcode.RDMA_WRITE);
            wire.server.expectBytes(wire.client, offset, 3000 + offset);
        }
        wire.server.expectNoCompletion();
        return (offsets + 1) + " offsets";
    }

    private static String writeWithImmediate(Wire wire) throws Exception {
        Side server = wire.server;
        for (int length : lengths(wire)) {
            wire.prepare(length);
            server.qp.postReceive(new ReceiveWorkRequest(0).wrId(2));
            SendWorkRequest request = wire.client.request(1, length);
            wire.client.post(
                    request.rdmaWriteWithImmediate(server.region.iova(), server.region.rkey(), NUMBER + length));
            WorkCompletion received = server.success(2);
            expect("opcode", received.opcode(), WorkCompletionOpcode.RECV_RDMA_WITH_IMM);
            expect("immediate data", received.immediate(), NUMBER + length);
            wire.client.success(1);
            server.expectBytes(wire.client, 0, length);
        }
        return lengths(wire).length + " lengths";
    }

    private static String read(Wire wire) throws Exception {
        Side from = wire.server;
        for (int length : lengths(wire)) {
            from.fill(length);
            wire.client.clear();
            wire.client.post(wire.client.request(1, length).rdmaRead(from.region.iova(), from.region.rkey()));
            expect("opcode", wire.client.success(1).opcode(), WorkCompletionOpcode.RDMA_READ);
            wire.client.expectBytes(from, 0, length);
        }
        return lengths(wire).length + " lengths";
    }

    private static void requireAtomics(Wire wire) throws Check.LeftOutException {
        leaveOutIf(!wire.card.hasAtomics(), "not on this device: it has no atomics");
    }

    private static String fetchAndAdd(Wire wire) throws Exception {
        requireAtomics(wire);
        Side server = wire.server;
        long[] numbers = {1, -1, Long.MAX_VALUE, 0x0102_0304_0506_0708L};
        long sum = 40;
        server.buffer.putLong(64, sum);
        for (long number : numbers) {
            SendWorkRequest request = wire.client.request(1, Long.BYTES);
            wire.client.post(request.fetchAndAdd(server.region.iova() + 64, server.region.rkey(), number));
            expect("opcode", wire.client.success(1).opcode(), WorkCompletionOpcode.FETCH_ADD);
            expect("the old value", wire.client.buffer.getLong(0), sum);
            sum += number;
            expect("the sum", server.buffer.getLong(64), sum);
        }
        return numbers.length + " additions";
    }

    private static String compareAndSwap(Wire wire) throws Exception {
        requireAtomics(wire);
        wire.server.buffer.putLong(64, -5);
        swap(wire, -5, NUMBER);
        expect("the old value", wire.client.buffer.getLong(0), -5L);
        swap(wire, -5, 1);
        expect("the old value", wire.client.buffer.getLong(0), (long) NUMBER);
        expect("the value", wire.server.buffer.getLong(64), (long) NUMBER);
        return "";
    }

    private static void swap(Wire wire, long expected, long swap) throws Exception {
        SendWorkRequest request = wire.client.request(1, Long.BYTES);
        wire.client.post(
                request.compareAndSwap(wire.server.region.iova() + 64, wire.server.region.rkey(), expected, swap));
        expect("opcode", wire.client.success(1).opcode(), WorkCompletionOpcode.COMP_SWAP);
    }

    /** Sends inline data of all lengths that the device accepts, at most {@link #INLINE} bytes. */
    private static String inline(Card card, QueuePairType type) throws Exception {
        for (int most = INLINE; ; most /= 2) {
            int bytes = most;
            try (Wire wire = Wire.open(card, Wire.Setup.of(type).with(options -> options.maxInline(bytes)))) {
                return inline(wire, bytes);
            } catch (ErrnoException tooMuch) {
                if (!tooMuch.errno().equals(Errno.EINVAL) || most == 1) {
                    throw tooMuch;
                }
            }
        }
    }

    private static String inline(Wire wire, int most) throws Exception {
        wire.client.fill(1);
        for (int length = 0; length <= most; length++) {
            wire.server.clear();
            wire.server.receive(2, 0, 4096);
            wire.client.post(wire.client.inline(1, length));
            expect("number of bytes", wire.server.success(2).byteLength(), length);
            wire.client.success(1);
            wire.server.expectBytes(wire.client, 0, length);
        }
        return "0 to " + most + " bytes";
    }

    private static String pieces(Card card) throws Exception {
        int most = Math.min(MOST_PIECES, card.attributes().maxSge());
        Wire.Setup setup = RC.with(options -> options.maxSendSge(most).maxReceiveSge(most));
        try (Wire wire = Wire.open(card, setup)) {
            for (int count = 1; count <= most; count++) {
                wire.prepare(count);
                int total =
                        IntStream.range(0, count).map(ConnectedChecks::piece).sum();
                ReceiveWorkRequest receive = new ReceiveWorkRequest(most).wrId(2);
                SendWorkRequest request =
                        new SendWorkRequest(most).wrId(1).send().signaled();
                int at = 0;
                for (int i = 0; i < count; i++) {
                    request.add(wire.client.region, at, piece(i));
                    at += piece(i);
                    // the receiver's pieces differ from the sender's, and have one byte more in total
                    int end = (i + 1) * (total + 1) / count;
                    int start = i * (total + 1) / count;
                    receive.add(wire.server.region, start, end - start);
                }
                wire.server.qp.postReceive(receive);
                wire.client.post(request);
                expect("number of bytes", wire.server.success(2).byteLength(), total);
                wire.client.success(1);
                wire.server.expectBytes(wire.client, 0, total);
            }
        }
        return "1 to " + most + " pieces";
    }

    /** The length of a piece; every third piece is empty. */
    private static int piece(int number) {
        return number % 3 == 1 ? 0 : 1 + 37 * number;
    }

    /** Checks a fence, without which the send may leave before the data of the read has arrived. */
    private static String fence(Wire wire) throws Exception {
        int rounds = 200;
        Side client = wire.client;
        Side server = wire.server;
        for (int i = 0; i < rounds; i++) {
            server.fill(i);
            server.receive(2, 4096, 64);
            SendWorkRequest read = client.request(1, 64).rdmaRead(server.region.iova(), server.region.rkey());
            SendWorkRequest[] both = {
                read.unsignaled(), client.request(3, 64).send().fenced()
            };
            expect("number of requests posted", client.qp.postSend(both, both.length), both.length);
            server.success(2);
            client.success(3);
            int wrong = server.buffer.slice(0, 64).mismatch(server.buffer.slice(4096, 64));
            expect(wrong < 0, "the data of the read was sent before it had come");
        }
        return rounds + " rounds";
    }
}
