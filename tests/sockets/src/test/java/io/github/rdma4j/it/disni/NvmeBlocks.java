// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.disni;

import com.ibm.jnvmf.GenericStatusCode;
import com.ibm.jnvmf.IdentifyNamespaceData;
import com.ibm.jnvmf.IoQueuePair;
import com.ibm.jnvmf.KeyedNativeBuffer;
import com.ibm.jnvmf.Namespace;
import com.ibm.jnvmf.NvmCompletionQueueEntry;
import com.ibm.jnvmf.NvmIoCommand;
import com.ibm.jnvmf.NvmIoCommandCapsule;
import com.ibm.jnvmf.NvmIoCommandSqe;
import com.ibm.jnvmf.NvmReadCommand;
import com.ibm.jnvmf.NvmResponseCapsule;
import com.ibm.jnvmf.NvmWriteCommand;
import com.ibm.jnvmf.OperationCallback;
import com.ibm.jnvmf.RdmaException;
import com.ibm.jnvmf.Response;
import com.ibm.jnvmf.UnsuccessfulComandException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Pieces of 4 KiB of a namespace, written and read with so many commands under way. */
final class NvmeBlocks implements AutoCloseable {
    static final int BYTES = 4096;

    private static final long LIMIT_NANOS = 60_000_000_000L;

    private static final byte[] OTHER = new byte[BYTES];

    private final IoQueuePair queue;
    private final Namespace namespace;
    private final int depth;
    private final byte[] content;
    private final int count;
    private final int sectors;
    private final List<Slot> slots = new ArrayList<>();
    private final Queue<Slot> free = new ArrayDeque<>();
    private long compared;

    NvmeBlocks(IoQueuePair queue, Namespace namespace, int depth) throws IOException {
        this.queue = queue;
        this.namespace = namespace;
        this.depth = depth;
        IdentifyNamespaceData data = namespace.getIdentifyNamespaceData();
        int sector = data.getFormattedLbaSize().getLbaDataSize().toInt();
        sectors = BYTES / sector;
        content = content(depth, Math.toIntExact(data.getNamespaceCapacity() * sector));
        count = content.length / BYTES;
    }

    /** What a namespace of that size has in it after the writes with that depth. */
    static byte[] content(int depth, int size) {
        byte[] content = new byte[size];
        new Random(depth).nextBytes(content);
        return content;
    }

    /** Writes all pieces, and returns the writes a second. */
    long write() throws Exception {
        return run(true);
    }

    /** Reads all pieces and compares them, and returns the reads a second. */
    long read() throws Exception {
        return run(false);
    }

    long compared() {
        return compared;
    }

    private long run(boolean writes) throws Exception {
        close();
        for (int i = 0; i < depth; i++) {
            Slot slot = new Slot(writes);
            slots.add(slot);
            free.add(slot);
        }
        long start = System.nanoTime();
        for (int number = 0; number < count; number++) {
            awaitFree(1, start);
            free.remove().start(number);
        }
        awaitFree(depth, start);
        return count * 1_000_000_000L / (System.nanoTime() - start);
    }

    private void awaitFree(int slotsFree, long start) throws IOException {
        while (free.size() < slotsFree) {
            queue.poll();
            for (Slot slot : slots) {
                slot.finish();
            }
            if (System.nanoTime() - start > LIMIT_NANOS) {
                throw new IOException("the target does not answer");
            }
        }
    }

    @Override
    public void close() throws IOException {
        for (Slot slot : slots) {
            slot.release();
        }
        slots.clear();
        free.clear();
    }

    /** A command with its memory. The command can be used again when both the command has been sent and the target has answered. */
    private final class Slot {
        private static final int NONE = -1;

        private final ByteBuffer memory = ByteBuffer.allocateDirect(BYTES);
        private final KeyedNativeBuffer registered = queue.registerMemory(memory);
        private final NvmIoCommand<? extends NvmIoCommandCapsule> command;
        private final Response<NvmResponseCapsule> response;
        private final boolean writes;
        private int number = NONE;
        private int completions;
        private @Nullable RdmaException failure;

        Slot(boolean writes) throws IOException {
            this.writes = writes;
            command = writes ? new NvmWriteCommand(queue) : new NvmReadCommand(queue);
            response = command.newResponse();
            command.setCallback(callback());
            response.setCallback(callback());
            command.getCommandCapsule().setSglDescriptor(registered);
        }

        private OperationCallback callback() {
            return new OperationCallback() {
                @Override
                public void onStart() {}

                @Override
                public void onComplete() {
                    completions++;
                }

                @Override
                public void onFailure(RdmaException exception) {
                    failure = exception;
                }
            };
        }

        void start(int piece) throws IOException {
            number = piece;
            completions = 0;
            if (writes) {
                memory.put(0, content, piece * BYTES, BYTES);
            } else {
                memory.put(0, OTHER);
            }
            NvmIoCommandSqe entry = command.getCommandCapsule().getSubmissionQueueEntry();
            entry.setStartingLba((long) piece * sectors);
            entry.setNumberOfLogicalBlocks(sectors);
            entry.setNamespaceIdentifier(namespace.getIdentifier());
            command.execute(response);
        }

        void finish() throws IOException {
            if (failure != null) {
                throw new IOException("piece " + number, failure);
            }
            if (number == NONE || completions < 2) {
                return;
            }
            NvmCompletionQueueEntry entry = response.getResponseCapsule().getCompletionQueueEntry();
            if (!entry.getStatusCode().equals(GenericStatusCode.getInstance().SUCCESS)) {
                throw new UnsuccessfulComandException(entry);
            }
            if (!writes) {
                compare();
            }
            number = NONE;
            free.add(this);
        }

        private void compare() throws IOException {
            int different = memory.mismatch(ByteBuffer.wrap(content, number * BYTES, BYTES));
            if (different >= 0) {
                throw new IOException("piece " + number + " differs at byte " + different);
            }
            compared += BYTES;
        }

        void release() throws IOException {
            command.getCommandCapsule().free();
            registered.free();
        }
    }
}
