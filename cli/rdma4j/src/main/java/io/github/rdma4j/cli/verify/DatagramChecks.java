// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.verify;

import static io.github.rdma4j.cli.verify.CheckFailedException.expect;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.AddressHandle;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.Grh;
import io.github.rdma4j.verbs.attr.QueuePairType;
import java.nio.ByteBuffer;
import java.util.List;

/** Datagrams. */
final class DatagramChecks {
    private static final int NUMBER = 0x0102_0304;
    private static final int INLINE = 64;

    private DatagramChecks() {}

    static List<Check> all() {
        return List.of(
                Check.of("UD: send, 0 bytes to the MTU", DatagramChecks::send),
                Check.of("UD: send with immediate data", DatagramChecks::sendWithImmediate),
                Check.of("UD: inline data of every length", DatagramChecks::inline),
                Check.of("UD: the header says where a datagram came from", DatagramChecks::header),
                Check.of("UD: a datagram with a wrong queue key is dropped", DatagramChecks::wrongKey));
    }

    /** Two queue pairs and the way from one to the other. */
    private record Post(Wire wire, AddressHandle way) implements AutoCloseable {
        static Post open(Card card) throws RdmaException {
            Wire wire = Wire.open(card, Wire.Setup.of(QueuePairType.UD).with(options -> options.maxInline(INLINE)));
            return new Post(wire, wire.client().pd().createAh(card.way()));
        }

        Side client() {
            return wire.client();
        }

        Side server() {
            return wire.server();
        }

        void send(SendWorkRequest request) throws RdmaException {
            client().post(request.to(way, server().qp().qpn(), Wire.QKEY));
        }

        /** Takes a datagram of {@code length} bytes, which must be those of the client's buffer. */
        WorkCompletion take(int length) throws CheckFailedException {
            WorkCompletion received = server().success(2);
            expect("number of bytes", received.byteLength(), Grh.BYTES + length);
            expect("source QP", received.sourceQp(), client().qp().qpn());
            int wrong = server().buffer()
                    .slice(Grh.BYTES, length)
                    .mismatch(client().buffer().slice(0, length));
            expect(wrong < 0, "of " + length + " bytes, byte " + wrong + " is wrong");
            return received;
        }

        @Override
        public void close() throws RdmaException {
            wire.close();
        }
    }

    private static String send(Card card) throws Exception {
        int[] lengths = {0, 1, 63, 64, 65, card.mtu() - 1, card.mtu()};
        try (Post post = Post.open(card)) {
            for (int length : lengths) {
                post.client().fill(length);
                post.server().receive(2, 0, Grh.BYTES + card.mtu());
                post.send(post.client().request(1, length).send());
                post.take(length);
                post.client().success(1);
            }
        }
        return lengths.length + " lengths";
    }

    private static String sendWithImmediate(Card card) throws Exception {
        try (Post post = Post.open(card)) {
            post.server().receive(2, 0, 512);
            post.send(post.client().request(1, 8).sendWithImmediate(NUMBER));
            WorkCompletion received = post.take(8);
            expect(received.hasImmediate(), "no immediate data came");
            expect("immediate data", received.immediate(), NUMBER);
            post.client().success(1);
        }
        return "";
    }

    private static String inline(Card card) throws Exception {
        try (Post post = Post.open(card)) {
            post.client().fill(1);
            for (int length = 0; length <= INLINE; length++) {
                post.server().receive(2, 0, 512);
                ByteBuffer data = post.client().buffer().slice(0, length);
                post.send(new SendWorkRequest(0).wrId(1).send().inline(data).signaled());
                post.take(length);
                post.client().success(1);
            }
        }
        return "0 to " + INLINE + " bytes";
    }

    private static String header(Card card) throws Exception {
        try (Post post = Post.open(card)) {
            post.server().receive(2, 0, 512);
            post.send(post.client().request(1, 8).send());
            WorkCompletion received = post.take(8);
            post.client().success(1);
            expect("whether there is a header", received.hasGrh(), card.isEthernet());
            if (!card.isEthernet()) {
                return "no header within an InfiniBand subnet";
            }
            Grh header = Grh.decode(post.server().buffer(), 0);
            expect(header.source().equals(card.gid().gid()), "the source GID is another");
            expect(header.destination().equals(card.gid().gid()), "the destination GID is another");
            post.client().receive(3, 0, 512);
            try (AddressHandle back =
                    post.server().pd().createAh(header.replyTo(card.gid().gidIndex(), card.portNumber()))) {
                int to = received.sourceQp();
                post.server().post(post.server().request(4, 8).send().to(back, to, Wire.QKEY));
                post.client().success(3);
            }
        }
        return "and a reply finds its way";
    }

    private static String wrongKey(Card card) throws Exception {
        try (Post post = Post.open(card)) {
            post.server().receive(2, 0, 512);
            int qpn = post.server().qp().qpn();
            post.client().post(post.client().request(1, 16).send().to(post.way(), qpn, Wire.QKEY + 1));
            post.client().success(1);
            post.send(post.client().request(1, 8).send());
            post.take(8);
            post.client().success(1);
        }
        return "";
    }
}
