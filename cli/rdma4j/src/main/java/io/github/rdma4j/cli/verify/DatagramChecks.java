// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.verify;

import static io.github.rdma4j.cli.verify.Check.CheckFailedException.expect;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.AddressHandle;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.Grh;
import io.github.rdma4j.verbs.attr.QueuePairType;
import java.util.List;

/** Checks of datagrams. */
final class DatagramChecks {
    private static final int NUMBER = 0x0102_0304;
    private static final int INLINE = 64;

    private DatagramChecks() {}

    static List<Check> all() {
        return List.of(
                check("UD: send, 0 bytes to the MTU", DatagramChecks::send),
                check("UD: send with immediate data", DatagramChecks::sendWithImmediate),
                check("UD: inline data of every length", DatagramChecks::inline),
                check("UD: the header says where a datagram came from", DatagramChecks::header),
                check("UD: a datagram with a wrong queue key is dropped", DatagramChecks::wrongKey));
    }

    static final String NOT_ON_IWARP = "has no datagrams";

    private static Check check(String name, Check.Body<Post> body) {
        Wire.Setup setup = Wire.Setup.of(QueuePairType.UD).with(options -> options.maxInline(INLINE));
        return Check.of(name, setup, wire -> body.run(new Post(wire))).exceptOnIwarp(NOT_ON_IWARP);
    }

    /** Two queue pairs, and the address from one to the other. */
    private static final class Post {
        private final Card card;
        private final Side client;
        private final Side server;
        private final AddressHandle way;

        Post(Wire wire) throws RdmaException {
            card = wire.card;
            client = wire.client;
            server = wire.server;
            way = client.pd.createAh(card.way());
        }

        void send(SendWorkRequest request) throws RdmaException {
            client.post(request.to(way, server.qp.qpn(), Wire.QKEY));
        }

        /** Receives a datagram of {@code length} bytes, which must equal the client's buffer. */
        WorkCompletion take(int length) throws Check.CheckFailedException {
            WorkCompletion received = server.success(2);
            client.success(1);
            expect("number of bytes", received.byteLength(), Grh.BYTES + length);
            expect("source QP", received.sourceQp(), client.qp.qpn());
            int wrong = server.buffer.slice(Grh.BYTES, length).mismatch(client.buffer.slice(0, length));
            expect(wrong < 0, "of " + length + " bytes, byte " + wrong + " is wrong");
            return received;
        }
    }

    private static String send(Post post) throws Exception {
        int mtu = post.card.mtu();
        int[] lengths = {0, 1, 63, 64, 65, mtu - 1, mtu};
        for (int length : lengths) {
            post.client.fill(length);
            post.server.receive(2, 0, Grh.BYTES + mtu);
            post.send(post.client.request(1, length).send());
            post.take(length);
        }
        return lengths.length + " lengths";
    }

    private static String sendWithImmediate(Post post) throws Exception {
        post.server.receive(2, 0, 512);
        post.send(post.client.request(1, 8).sendWithImmediate(NUMBER));
        WorkCompletion received = post.take(8);
        expect(received.hasImmediate(), "no immediate data came");
        expect("immediate data", received.immediate(), NUMBER);
        return "";
    }

    private static String inline(Post post) throws Exception {
        post.client.fill(1);
        for (int length = 0; length <= INLINE; length++) {
            post.server.receive(2, 0, 512);
            post.send(post.client.inline(1, length));
            post.take(length);
        }
        return "0 to " + INLINE + " bytes";
    }

    private static String header(Post post) throws Exception {
        Card card = post.card;
        post.server.receive(2, 0, 512);
        post.send(post.client.request(1, 8).send());
        WorkCompletion received = post.take(8);
        expect("whether there is a header", received.hasGrh(), card.isEthernet());
        if (received.hasGrh()) {
            Grh header = Grh.decode(post.server.buffer, 0);
            expect(header.source().equals(card.gid().gid()), "the source GID is another");
            expect(header.destination().equals(card.gid().gid()), "the destination GID is another");
        }
        post.client.receive(3, 0, 512);
        AddressHandle back = post.server.pd.createAhFromWc(received, post.server.buffer, 0, card.portNumber());
        post.server.post(post.server.request(4, 8).send().to(back, received.sourceQp(), Wire.QKEY));
        post.client.success(3);
        return "and a reply finds its way";
    }

    private static String wrongKey(Post post) throws Exception {
        post.server.receive(2, 0, 512);
        post.client.post(post.client.request(1, 16).send().to(post.way, post.server.qp.qpn(), Wire.QKEY + 1));
        post.client.success(1);
        post.send(post.client.request(1, 8).send());
        post.take(8);
        return "";
    }
}
