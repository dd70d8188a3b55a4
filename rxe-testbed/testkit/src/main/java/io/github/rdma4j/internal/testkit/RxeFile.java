// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.testkit;

import io.github.rdma4j.internal.memory.NativeMemory;
import io.github.rdma4j.kernel.Errno;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;

/**
 * The open uverbs device of a soft-RoCE device in memory, which creates and destroys objects. Its rings are real memory
 * in the layout of the driver rxe ({@code struct rxe_queue_buf}) and stay empty: a posted request never completes by
 * itself.
 *
 * <p>All commands have the numbers of the write set, {@code IB_USER_VERBS_CMD_*}, including those sent as ioctl
 * methods.
 */
public class RxeFile extends OpenFile {
    protected static final int GET_CONTEXT = 0;
    protected static final int QUERY_DEVICE = 1;
    private static final int QUERY_PORT = 2;
    private static final int CREATE_COMP_CHANNEL = 17;
    private static final int REQ_NOTIFY_CQ = 23;
    private static final int MODIFY_QP = 26;

    private static final int HEADER = 8;
    private static final int RING_HEADER = 384;
    private static final int LARGEST_MESSAGE = 1 << 20;

    /** The offset of all rings except those of completion queues, whose offset is their handle plus one. */
    private static final int RING_OFFSET = 1;

    /** The handle if none was passed. */
    private static final int NO_OBJECT = -1;

    // Attributes of INVOKE_WRITE: the structs of the command, and the number. Methods have their handle in attribute 0.
    protected static final int CORE_IN = 0;
    protected static final int CORE_OUT = 1;
    private static final int WRITE_CMD = 2;
    private static final int HANDLE = 0;
    private static final int REPLY = 1;
    protected static final int UHW_OUT = 0x1001;

    private static final int INVOKE_WRITE = method(0, 0);
    private static final int GET_CONTEXT_METHOD = method(0, 3);

    /**
     * The commands that are ioctl methods, by object and method. Two methods open a context; the second is the command.
     */
    private static final Map<Integer, Integer> METHODS = Map.ofEntries(
            Map.entry(method(16, 0), GET_CONTEXT), // ASYNC_EVENT_ALLOC
            Map.entry(method(0, 2), QUERY_PORT),
            Map.entry(method(1, 0), 4), // PD_DESTROY
            Map.entry(method(6, 0), 8), // AH_DESTROY
            Map.entry(method(7, 1), 13), // MR_DESTROY
            Map.entry(method(8, 0), 16), // MW_DESTROY
            Map.entry(method(3, 0), 18), // CQ_CREATE
            Map.entry(method(3, 1), 20), // CQ_DESTROY
            Map.entry(method(4, 0), 24), // QP_CREATE
            Map.entry(method(4, 1), 27), // QP_DESTROY
            Map.entry(method(5, 0), 32), // SRQ_CREATE
            Map.entry(method(5, 1), 35)); // SRQ_DESTROY

    /**
     * A command that creates an object.
     *
     * @param kind the kind of the object
     * @param used the locations of the handles of used objects: attributes of a method, offsets in the request of a
     *     command
     * @param results the attributes of a method that report the size of the object
     */
    private record Shape(String kind, List<Integer> used, List<Integer> results) {}

    private static final Map<Integer, Shape> MAKING = Map.of(
            3, new Shape("pd", List.of(), List.of()), // ALLOC_PD
            5, new Shape("ah", List.of(16), List.of()), // CREATE_AH
            9, new Shape("mr", List.of(32), List.of()), // REG_MR
            14, new Shape("mw", List.of(8), List.of()), // ALLOC_MW
            18, new Shape("cq", List.of(), List.of(6)),
            24, new Shape("qp", List.of(2, 4, 5), List.of(13, 14)),
            32, new Shape("srq", List.of(1), List.of(11, 12, 13)));

    /**
     * The size of rings.
     *
     * @param slotShift log2 of the size of a slot in bytes
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

    private static int method(int object, int method) {
        return object << 16 | method;
    }

    // ---- for subclasses

    /**
     * Called without the lock, before a command has an effect. Returns 0, or minus the error number with which the
     * command fails.
     */
    protected int before(int command) {
        return 0;
    }

    /** Creates the file of a new context or a new completion channel. */
    protected OpenFile newFile(int command) {
        return new OpenFile();
    }

    /** Called when an object has been created. */
    protected void made(String kind, int handle, IoctlFrame frame) {}

    /** Called when an object has been destroyed. */
    protected void destroyed(int command, int handle) {}

    /** Called when a ring has been mapped. {@code cq} is the handle of its completion queue, 0 for other rings. */
    protected void mapped(int cq, ByteBuffer ring) {}

    /** Called when a completion queue is armed for the next completion. */
    protected void armed(int cq) {}

    /** Executes any other command of the write set inside an ioctl. */
    protected void other(int command, IoctlFrame frame) {}

    /** True if the command destroys an object. */
    protected static boolean destroys(int command) {
        return switch (command) {
            case 4, 8, 13, 16, 20, 27, 35 -> true;
            default -> false;
        };
    }

    // ---- commands

    /** Handles the doorbell and the request for an event, the only commands sent by write(2). */
    @Override
    public long write(ByteBuffer command) {
        int number = command.getInt(0);
        int cq = number == REQ_NOTIFY_CQ ? command.getInt(HEADER) : NO_OBJECT;
        int result = carryOut(number, cq == NO_OBJECT ? List.of() : List.of(cq), () -> {
            if (cq != NO_OBJECT) {
                armed(cq);
            }
            return 0;
        });
        return result < 0 ? result : command.capacity();
    }

    @Override
    public int ioctl(long address) {
        IoctlFrame frame = new IoctlFrame(address);
        int method = method(frame.object(), frame.method());
        if (method == GET_CONTEXT_METHOD) {
            frame.output(0).putInt(0, 1); // one completion vector
            return 0;
        }
        boolean isWrite = method == INVOKE_WRITE;
        int number = isWrite ? frame.number(WRITE_CMD) : METHODS.getOrDefault(method, NO_OBJECT);
        if (number < 0) {
            return refused(
                    isWrite ? Errno.EOPNOTSUPP : Errno.EPROTONOSUPPORT); // an extended command, or an unknown method
        }
        List<Integer> used = uses(number, isWrite, frame);
        return carryOut(number, used, () -> carryOut(number, isWrite, frame, used));
    }

    /** Executes a command. As in the kernel, objects are in use from the start of the call. */
    private int carryOut(int number, List<Integer> used, IntSupplier effect) {
        if (!kernel.locked(() -> objects.enter(number, used))) {
            return refused(Errno.EINVAL);
        }
        int refusal = before(number);
        return kernel.locked(() -> {
            int result = refusal != 0 ? refusal : effect.getAsInt();
            objects.leave(used);
            return result;
        });
    }

    private static List<Integer> uses(int number, boolean isWrite, IoctlFrame frame) {
        Shape shape = MAKING.get(number);
        if (shape == null) {
            return number == MODIFY_QP ? List.of(frame.input(CORE_IN).getInt(64)) : List.of();
        }
        return shape.used().stream()
                .map(at -> isWrite ? frame.input(CORE_IN).getInt(at) : frame.has(at) ? frame.number(at) : NO_OBJECT)
                .toList();
    }

    private int carryOut(int number, boolean isWrite, IoctlFrame frame, List<Integer> used) {
        Shape shape = MAKING.get(number);
        if (shape != null) {
            make(shape, isWrite, frame, used);
        } else if (destroys(number)) {
            int handle = frame.number(HANDLE);
            if (!objects.destroy(number, handle)) {
                return refused(Errno.EBUSY);
            }
            fill(frame.output(REPLY), 0); // no events
            destroyed(number, handle);
        } else if (number == GET_CONTEXT || number == CREATE_COMP_CHANNEL) {
            int fd = kernel.add(newFile(number));
            if (fd < 0) {
                return fd;
            }
            answer(isWrite, frame, fd);
        } else if (number == QUERY_PORT) {
            frame.output(REPLY).putInt(4, LARGEST_MESSAGE).put(28, (byte) 3);
        } else {
            other(number, frame);
        }
        return 0;
    }

    /** Writes the handle or descriptor number of the new object. */
    private static void answer(boolean isWrite, IoctlFrame frame, int number) {
        if (isWrite) {
            frame.output(CORE_OUT).putInt(0, number);
        } else {
            frame.made(HANDLE, number);
        }
    }

    private void make(Shape shape, boolean isWrite, IoctlFrame frame, List<Integer> used) {
        int handle = objects.make(shape.kind(), used);
        boolean isCq = shape.kind().equals("cq");
        if (isWrite) {
            fill(frame.output(CORE_OUT), 1);
        }
        answer(isWrite, frame, handle);
        shape.results().forEach(result -> fill(frame.output(result), isCq ? completions.mask() : 1));
        ByteBuffer driver = frame.output(UHW_OUT);
        for (int at = 0; at + Integer.BYTES <= driver.capacity(); at += Integer.BYTES) {
            // the number of an address handle; for a ring, the offset, with the length 8 bytes further
            int offset = isCq && at == 0 ? handle + RING_OFFSET : RING_OFFSET;
            driver.putInt(at, at % 16 == 8 ? (isCq ? completions : queues).bytes() : offset);
        }
        made(shape.kind(), handle, frame);
    }

    private static void fill(ByteBuffer words, int value) {
        for (int at = 0; at + Integer.BYTES <= words.capacity(); at += Integer.BYTES) {
            words.putInt(at, value);
        }
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
