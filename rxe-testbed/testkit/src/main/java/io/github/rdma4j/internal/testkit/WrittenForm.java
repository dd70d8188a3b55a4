// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.testkit;

import io.github.rdma4j.internal.memory.NativeMemory;
import io.github.rdma4j.kernel.Errno;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * The commands of {@code RDMA_VERBS_IOCTL} in the form of the write set, for kernels made up for tests: these answer commands of
 * one form, with the request behind a header of eight bytes, and the address of the reply at the beginning of the request.
 */
public final class WrittenForm {
    private static final int HEADER = 8;
    private static final int UHW_IN = 0x1000;
    private static final int UHW_OUT = 0x1001;
    private static final int DEVICE = 0;
    private static final int INVOKE_WRITE = 0;
    private static final int CORE_IN = 0;
    private static final int CORE_OUT = 1;
    private static final int WRITE_CMD = 2;
    private static final int GET_CONTEXT = 3;
    private static final int NO_ATTRIBUTE = -1;

    /** A handle or descriptor that did not come. */
    private static final int NO_OBJECT = -1;

    /**
     * A part of a struct of the write set.
     *
     * @param attribute the attribute of the ioctl that has it
     * @param offset where it is in the struct
     * @param bytes how long it is
     */
    private record Part(int attribute, int offset, int bytes) {}

    /**
     * Where attributes of a method are in the structs of the command.
     *
     * @param command the number in the write set
     * @param made the attribute of what is made, or -1
     * @param requestBytes bytes of the request
     * @param replyBytes bytes of the reply
     * @param inputs what the request has
     * @param outputs what the reply has
     */
    private record Form(
            int command, int made, int requestBytes, int replyBytes, List<Part> inputs, List<Part> outputs) {}

    /** By object and method. */
    private static final Map<Integer, Form> FORMS = Map.ofEntries(
            Map.entry(method(16, 0), new Form(0, 0, 8, 8, List.of(), List.of())), // ASYNC_EVENT_ALLOC, as GET_CONTEXT
            Map.entry(method(DEVICE, 2), asking(2, new Part(0, 8, 1), 40)), // QUERY_PORT
            Map.entry(method(1, 0), destroying(4)), // PD_DESTROY
            Map.entry(method(6, 0), destroying(8)), // AH_DESTROY
            Map.entry(method(7, 1), destroying(13)), // MR_DESTROY
            Map.entry(method(8, 0), destroying(16)), // MW_DESTROY
            Map.entry(method(3, 1), asking(20, new Part(0, 8, 4), 8)), // CQ_DESTROY
            Map.entry(method(4, 1), asking(27, new Part(0, 8, 4), 4)), // QP_DESTROY
            Map.entry(method(5, 1), asking(35, new Part(0, 8, 4), 4)), // SRQ_DESTROY
            Map.entry(
                    method(3, 0), new Form(18, 0, 32, 8, parts(1, 16, 4, 2, 8, 8, 3, 24, 4, 4, 20, 4), parts(6, 4, 4))),
            Map.entry(
                    method(4, 0), // QP_CREATE
                    new Form(
                            24,
                            0,
                            56,
                            32,
                            parts(2, 16, 4, 4, 20, 4, 5, 24, 4, 3, 28, 4, 7, 8, 8, 8, 32, 20, 9, 53, 1),
                            parts(13, 8, 20, 14, 4, 4))),
            Map.entry(
                    method(5, 0), // SRQ_CREATE
                    new Form(
                            32,
                            0,
                            32,
                            16,
                            parts(1, 16, 4, 4, 8, 8, 5, 20, 4, 6, 24, 4, 7, 28, 4),
                            parts(11, 4, 4, 12, 8, 4, 13, 12, 4))));

    private WrittenForm() {}

    private static int method(int object, int method) {
        return object << 16 | method;
    }

    private static Form destroying(int command) {
        return new Form(command, NO_ATTRIBUTE, 4, 0, parts(0, 0, 4), List.of());
    }

    /** A method whose attribute 1 is the whole reply. */
    private static Form asking(int command, Part about, int replyBytes) {
        return new Form(command, NO_ATTRIBUTE, 16, replyBytes, List.of(about), parts(1, 0, replyBytes));
    }

    /** The attribute, offset and bytes of each part. */
    private static List<Part> parts(int... numbers) {
        List<Part> parts = new ArrayList<>();
        for (int i = 0; i < numbers.length; i += 3) {
            parts.add(new Part(numbers[i], numbers[i + 1], numbers[i + 2]));
        }
        return parts;
    }

    /**
     * Carries out the ioctl at {@code address}: 0, or minus the error number. A method without a form in the write set is unknown. Of
     * the two methods that open a context, the second is the command.
     *
     * @param kernel answers a command of the write set as write(2) does
     */
    public static int carryOut(long address, ToLongFunction<ByteBuffer> kernel) {
        IoctlFrame frame = new IoctlFrame(address);
        int method = method(frame.object(), frame.method());
        if (method == method(DEVICE, GET_CONTEXT)) {
            frame.output(0).putInt(0, 1);
            return 0;
        }
        Form form = FORMS.get(method);
        if (method == method(DEVICE, INVOKE_WRITE)) {
            int replyBytes = frame.output(CORE_OUT).capacity();
            int requestBytes = frame.input(CORE_IN).capacity();
            form = new Form(
                    frame.number(WRITE_CMD),
                    NO_ATTRIBUTE,
                    requestBytes,
                    replyBytes,
                    parts(CORE_IN, 0, requestBytes),
                    parts(CORE_OUT, 0, replyBytes));
        }
        return form == null ? -Errno.EPROTONOSUPPORT.number() : carryOut(frame, form, kernel);
    }

    private static int carryOut(IoctlFrame frame, Form form, ToLongFunction<ByteBuffer> kernel) {
        if (form.command() < 0) {
            return -Errno.EOPNOTSUPP.number(); // the extended commands
        }
        ByteBuffer driverRequest = frame.input(UHW_IN);
        ByteBuffer driverReply = frame.output(UHW_OUT);
        ByteBuffer reply = memory(form.replyBytes() + driverReply.capacity());
        ByteBuffer command = memory(HEADER + form.requestBytes() + driverRequest.capacity());
        command.putInt(0, form.command())
                .putShort(4, (short) (command.capacity() / Integer.BYTES))
                .putShort(6, (short) (reply.capacity() / Integer.BYTES));
        form.inputs().forEach(input -> copy(frame, input, command));
        if (reply.capacity() > 0) {
            command.putLong(HEADER, NativeMemory.address(reply));
        }
        command.put(HEADER + form.requestBytes(), driverRequest, 0, driverRequest.capacity());
        try {
            long result = kernel.applyAsLong(command);
            if (result >= 0) {
                answer(frame, form, reply);
                driverReply.put(0, reply, form.replyBytes(), driverReply.capacity());
            }
            return (int) Math.min(result, 0);
        } finally {
            Reference.reachabilityFence(reply);
        }
    }

    private static void copy(IoctlFrame frame, Part input, ByteBuffer command) {
        int at = HEADER + input.offset();
        int value = frame.has(input.attribute()) ? frame.number(input.attribute()) : NO_OBJECT;
        boolean isBlock = frame.object() == DEVICE && frame.method() == INVOKE_WRITE;
        if (isBlock || input.bytes() > Long.BYTES) {
            command.put(at, frame.input(input.attribute()), 0, input.bytes());
        } else if (input.bytes() == Long.BYTES) {
            command.putLong(at, frame.value(input.attribute()));
        } else if (input.bytes() == Integer.BYTES) {
            command.putInt(at, value);
        } else {
            command.put(at, (byte) value);
        }
    }

    private static void answer(IoctlFrame frame, Form form, ByteBuffer reply) {
        if (form.made() != NO_ATTRIBUTE) {
            frame.made(form.made(), reply.getInt(0));
        }
        for (Part output : form.outputs()) {
            ByteBuffer room = frame.output(output.attribute());
            room.put(0, reply, output.offset(), Math.min(output.bytes(), room.capacity()));
        }
    }

    private static ByteBuffer memory(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    }
}
