// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.testkit;

import io.github.rdma4j.internal.memory.NativeMemory;
import io.github.rdma4j.kernel.Errno;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;

/**
 * The open uverbs device of a soft-RoCE device in memory, which makes and destroys objects. Its rings are real memory in the
 * layout of the driver rxe ({@code struct rxe_queue_buf}) and stay empty: a posted request never completes by itself.
 */
public class RxeFile extends OpenFile {
    /** Commands of the write set, {@code IB_USER_VERBS_CMD_*}. */
    protected static final int GET_CONTEXT = 0;

    protected static final int QUERY_DEVICE = 1;
    protected static final int CREATE_COMP_CHANNEL = 17;
    protected static final int REQ_NOTIFY_CQ = 23;
    private static final int QUERY_PORT = 2;
    private static final int MODIFY_QP = 26;

    private static final int HEADER = 8;
    private static final int RING_HEADER = 384;
    private static final int LARGEST_MESSAGE = 1 << 20;

    /** An offset that stands for every ring but that of a completion queue, whose offset is its handle and one. */
    private static final int RING_OFFSET = 1;

    /** What a command makes: the bytes of the reply before the driver's part, and where the request has handles. */
    private record Shape(String kind, int replyBytes, List<Integer> usedAt) {
        Shape(String kind, int replyBytes, Integer... usedAt) {
            this(kind, replyBytes, List.of(usedAt));
        }
    }

    private static final Map<Integer, Shape> MAKING = Map.of(
            3, new Shape("pd", 4), // ALLOC_PD
            5, new Shape("ah", 4, 16), // CREATE_AH
            9, new Shape("mr", 12, 32), // REG_MR
            14, new Shape("mw", 8, 8), // ALLOC_MW
            18, new Shape("cq", 8), // CREATE_CQ
            24, new Shape("qp", 32, 16, 20, 24), // CREATE_QP
            32, new Shape("srq", 16, 16)); // CREATE_SRQ

    /** Where the request has the handle. */
    private static final Map<Integer, Integer> DESTROYING = Map.of(
            4, 0, // DEALLOC_PD
            8, 0, // DESTROY_AH
            13, 0, // DEREG_MR
            16, 0, // DEALLOC_MW
            20, 8, // DESTROY_CQ
            27, 8, // DESTROY_QP
            35, 8); // DESTROY_SRQ

    /** Where the request has the handle. */
    private static final Map<Integer, Integer> USING = Map.of(MODIFY_QP, 64, REQ_NOTIFY_CQ, 0);

    /**
     * The size of rings.
     *
     * @param slotShift log2 of the bytes of a slot
     * @param mask the number of slots, a power of two, less one
     */
    public record Ring(int slotShift, int mask) {
        int bytes() {
            return RING_HEADER + ((mask + 1) << slotShift) + Mappings.PAGE - 1 & -Mappings.PAGE;
        }
    }

    private final MemoryKernel kernel;
    private final VerbsObjects objects;
    private final Ring queues;
    private final Ring completions;

    /**
     * Opens the device.
     *
     * @param kernel the kernel of the device
     * @param objects the objects of the device
     * @param queues the size of send rings and receive rings
     * @param completions the size of the rings of completion queues
     */
    public RxeFile(MemoryKernel kernel, VerbsObjects objects, Ring queues, Ring completions) {
        this.kernel = kernel;
        this.objects = objects;
        this.queues = queues;
        this.completions = completions;
    }

    // ---- for subclasses

    /** Runs without the lock, before a command has an effect. Returns 0, or minus the error number that the command fails with. */
    protected int before(int command) {
        return 0;
    }

    /** The file of a new context, or a new completion channel. */
    protected OpenFile newFile(int command) {
        return new OpenFile();
    }

    /** An object has been made. */
    protected void made(String kind, int handle, ByteBuffer request, ByteBuffer reply) {}

    /** An object has been destroyed. */
    protected void destroyed(int command, int handle) {}

    /** A ring has been mapped. {@code cq} is the handle of its completion queue, 0 for another ring. */
    protected void mapped(int cq, ByteBuffer ring) {}

    /** Any other command. Returns 0, or minus the error number. */
    protected int other(int command, ByteBuffer request) {
        return 0;
    }

    /** Whether the command destroys an object. */
    protected static boolean destroys(int command) {
        return DESTROYING.containsKey(command);
    }

    /** The memory for the reply of a command. */
    protected static ByteBuffer reply(ByteBuffer request, int bytes) {
        return NativeMemory.view(request.getLong(0), bytes);
    }

    // ---- commands

    @Override
    public int ioctl(long address) {
        return WrittenForm.carryOut(address, this::write);
    }

    @Override
    public long write(ByteBuffer command) {
        int number = command.getInt(0);
        ByteBuffer request = command.slice(HEADER, command.capacity() - HEADER).order(ByteOrder.nativeOrder());
        List<Integer> used = uses(number, request);
        // The objects are in use from the beginning of the call, as in the kernel.
        if (!kernel.locked(() -> objects.enter(number, used))) {
            return refused(Errno.EINVAL);
        }
        int refusal = before(number);
        int result = kernel.locked(() -> {
            int error = refusal != 0 ? refusal : carryOut(number, command, request, used);
            objects.leave(used);
            return error;
        });
        return result < 0 ? result : command.capacity();
    }

    private static List<Integer> uses(int number, ByteBuffer request) {
        Shape shape = MAKING.get(number);
        if (shape != null) {
            return shape.usedAt().stream().map(request::getInt).toList();
        }
        Integer at = USING.get(number);
        return at == null ? List.of() : List.of(request.getInt(at));
    }

    private int carryOut(int number, ByteBuffer command, ByteBuffer request, List<Integer> used) {
        Shape shape = MAKING.get(number);
        if (shape != null) {
            make(shape, command, request, used);
            return 0;
        }
        Integer at = DESTROYING.get(number);
        if (at != null) {
            int handle = request.getInt(at);
            if (!objects.destroy(number, handle)) {
                return refused(Errno.EBUSY);
            }
            destroyed(number, handle);
            return 0;
        }
        switch (number) {
            case GET_CONTEXT, CREATE_COMP_CHANNEL -> {
                int fd = kernel.add(newFile(number));
                if (fd >= 0) {
                    reply(request, Integer.BYTES).putInt(0, fd);
                }
                return fd;
            }
            case QUERY_PORT -> reply(request, 40).putInt(4, LARGEST_MESSAGE).put(28, (byte) 3);
            default -> {
                return other(number, request);
            }
        }
        return 0;
    }

    private void make(Shape shape, ByteBuffer command, ByteBuffer request, List<Integer> used) {
        int handle = objects.make(shape.kind(), used);
        boolean isCq = shape.kind().equals("cq");
        ByteBuffer reply = reply(request, Short.toUnsignedInt(command.getShort(6)) * Integer.BYTES);
        reply.putInt(0, handle);
        for (int at = Integer.BYTES; at < shape.replyBytes(); at += Integer.BYTES) {
            reply.putInt(at, isCq ? completions.mask() : 1); // the entries of a completion queue
        }
        for (int at = shape.replyBytes(); at + Integer.BYTES <= reply.capacity(); at += Integer.BYTES) {
            // The number of an address handle; of a ring the offset, and the length 8 bytes further.
            boolean isLength = (at - shape.replyBytes()) % 16 == 8;
            int offset = isCq && at == shape.replyBytes() ? handle + RING_OFFSET : RING_OFFSET;
            reply.putInt(at, isLength ? (isCq ? completions : queues).bytes() : offset);
        }
        made(shape.kind(), handle, request, reply);
    }

    @Override
    public long map(long offset, int length) {
        boolean isCq = (int) offset > RING_OFFSET;
        Ring size = isCq ? completions : queues;
        ByteBuffer ring = kernel.mappings().allocate(length);
        ring.putInt(0, size.slotShift()).putInt(Integer.BYTES, size.mask());
        mapped(isCq ? (int) offset - RING_OFFSET : 0, ring);
        return NativeMemory.address(ring);
    }
}
