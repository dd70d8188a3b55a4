// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.script;

import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.QueueRings;
import io.github.rdma4j.internal.provider.ReceiveRing;
import io.github.rdma4j.internal.provider.SendRing;
import io.github.rdma4j.internal.provider.SharedReceiveRing;
import io.github.rdma4j.providers.script.PlayedDriver.PairParts;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Queues of a script as the device sees them: the memory whose address their create command had, and the device's place in it. */
public final class PlayedQueues {
    private static final HexFormat HEX = HexFormat.of();

    private PlayedQueues() {}

    /** Bytes in groups of four. */
    public static String hex(byte[] bytes) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < bytes.length; i++) {
            text.append(i > 0 && i % 4 == 0 ? " " : "");
            text.append(HEX.toHighHexDigit(bytes[i])).append(HEX.toLowHexDigit(bytes[i]));
        }
        return text.toString();
    }

    /** {@code length} bytes of {@code from}. */
    public static byte[] bytes(ByteBuffer from, int at, int length) {
        byte[] bytes = new byte[length];
        from.get(at, bytes);
        return bytes;
    }

    /** A completion queue, and the device that writes its entries. */
    public abstract static class Completions {
        private static final int FIRST_ENTRY = 64;

        private final CompletionRing ring;
        private ByteBuffer memory;

        /** The ring of the provider, and its memory. */
        protected Completions(CompletionRing ring, ByteBuffer memory) {
            this.ring = ring;
            this.memory = memory;
        }

        /** The ring of the provider. */
        public final CompletionRing ring() {
            return ring;
        }

        /** The memory of the ring. */
        protected final ByteBuffer memory() {
            return memory;
        }

        /** The queue goes on in other memory. */
        protected final void moveTo(ByteBuffer other) {
            memory = other;
        }

        /** What the process tells the device of the queue beside the ring. */
        protected abstract String recordText();

        /** The first entry of a new queue. */
        final String firstEntry() {
            return "  entry 0 " + hex(bytes(memory, 0, FIRST_ENTRY));
        }

        /** {@code cqe CQ QP WORD...}: the device completes a work request. */
        public abstract void complete(Pair of, String[] words);

        /** {@code xcqe CQ XSRQ WORD...}: the device completes a receive of a shared receive queue of XRC. */
        protected void complete(Shared of, String[] words) {
            throw new UnsupportedOperationException("XRC");
        }

        /** The queue goes on in the ring that the request of a resize names, and for which {@code asked} entries were asked. */
        public void resize(CapturedRequest request, int asked) {
            throw new UnsupportedOperationException("resized completion queues");
        }

        /** Writes any bytes as the next entry; only what marks the entry as new is the device's. */
        protected abstract void write(ByteBuffer entry);
    }

    /** A shared receive queue. */
    public abstract static class Shared {
        private final SharedReceiveRing ring;
        private final CapturedRequest request;
        private final int number;

        /** The ring of the provider, the request that made the queue, and the number of the queue. */
        protected Shared(SharedReceiveRing ring, CapturedRequest request, int number) {
            this.ring = ring;
            this.request = request;
            this.number = number;
        }

        final SharedReceiveRing ring() {
            return ring;
        }

        /** The request that made the queue. */
        public final CapturedRequest request() {
            return request;
        }

        /** The number of the queue. */
        public final int number() {
            return number;
        }

        /** What the process tells the device of the queue beside the ring. */
        protected abstract String recordText();

        /** The entries that the device has been told of since the last call. */
        protected abstract List<String> posted();

        /** The device takes the next entry. */
        protected abstract int take();
    }

    /** A queue pair. */
    public abstract static class Pair {
        private final PairParts parts;

        protected Pair(PairParts parts) {
            this.parts = parts;
        }

        /** The rings of the provider. */
        public final QueueRings rings() {
            return parts.rings();
        }

        /** The number of the queue pair. */
        public final int number() {
            return parts.number();
        }

        /** What the queue pair is made of. */
        protected final PairParts parts() {
            return parts;
        }

        final boolean isDatagram() {
            return parts.type().isDatagram();
        }

        /** The capacities, as the program in C prints them. */
        protected String grantedText() {
            ReceiveRing receive = rings().receive();
            SendRing send = rings().send();
            return send.capacity() + " " + (receive == null ? 0 : receive.capacity()) + " " + send.maxSge() + " "
                    + (receive == null ? 0 : receive.maxSge()) + " " + send.maxInline();
        }

        /** What the process tells the device of the queues beside the rings. */
        protected abstract String recordText();

        /** The receive that was posted last. */
        protected abstract String received();

        /** The work queue elements that the device has been told of since the last call. */
        protected abstract List<String> sent();

        /** The device begins anew at the start of the rings. */
        protected abstract void restart();

        /** Takes the completions of the queue pair out of its completion queues. */
        final void forget() {
            forget(() -> {});
        }

        /** As {@link #forget()}; {@code between} runs before and after the second of two completion queues. */
        final void forget(Runnable between) {
            Completions sends = parts.completions().get(0);
            Completions receives = parts.completions().get(parts.completions().size() - 1);
            sends.ring().forget(rings());
            between.run();
            if (receives != sends) {
                receives.ring().forget(rings());
            }
            between.run();
            restart();
        }
    }

    /** Nothing but what has that type. */
    static <T> T cast(Class<T> type, @Nullable Object object, String name) {
        if (!type.isInstance(object)) {
            throw new AssertionError(name + " is no " + type.getSimpleName());
        }
        return type.cast(object);
    }
}
