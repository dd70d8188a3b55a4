// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics.kernel;

import io.github.rdma4j.internal.cm.CmDevice;
import io.github.rdma4j.internal.fd.KernelFd;
import io.github.rdma4j.internal.memory.CommandArena;
import io.github.rdma4j.internal.ucm.ConnParam;
import io.github.rdma4j.internal.ucm.GetEvent;
import io.github.rdma4j.internal.ucm.IdCommands.CreateIdCommand;
import io.github.rdma4j.internal.ucm.IdCommands.DestroyIdCommand;
import io.github.rdma4j.internal.ucm.SetOption;
import io.github.rdma4j.internal.ucm.UcmCommand;
import io.github.rdma4j.internal.ucm.UcmCommand.CmHeader;
import io.github.rdma4j.kernel.Deadline;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.Pollable;
import io.github.rdma4j.kernel.RdmaException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An open {@code /dev/infiniband/rdma_cm} without the library's logic: a command, of which {@link RawId} has those about
 * an id, sends its arguments and returns the kernel's answer. No state is kept, nothing is checked, and no error number
 * is thrown. Closing the descriptor destroys the ids on it.
 *
 * <p>Safe for use by several threads.
 */
public final class RawCm implements Pollable, AutoCloseable {
    /** Far longer than an event takes that does not wait for a timer. */
    public static final Duration LIMIT = Duration.ofSeconds(30);

    private static final AtomicInteger LAST_QP_NUMBER =
            new AtomicInteger(0x100000 + (int) (ProcessHandle.current().pid() % 512) * 4096);

    private final KernelFd fd;

    private RawCm(KernelFd fd) {
        this.fd = fd;
    }

    /**
     * A new number of a queue pair that does not exist: the connection manager only requires that numbers differ. A
     * request with a number that the kernel has seen recently counts as a stale connection, so the processes of a guest
     * start at different numbers.
     */
    public static int newQpNumber() {
        return LAST_QP_NUMBER.incrementAndGet() & 0xffffff;
    }

    /** Parameters of a connection with a new queue pair number and this private data. */
    public static ConnParam parameters(byte... data) {
        return new ConnParam(newQpNumber(), 0, data, false, 1, 1, 0, 7, 7);
    }

    /** Opens it so that GET_EVENT on an empty queue returns EAGAIN. */
    public static RawCm open() throws RdmaException {
        RawCm opened = openBlocking();
        opened.fd.setNonBlocking();
        return opened;
    }

    /** Opens it so that GET_EVENT waits. */
    public static RawCm openBlocking() throws RdmaException {
        Kernel kernel = Kernel.running();
        return new RawCm(KernelFd.open(kernel, CmDevice.locate(kernel).node().toString()));
    }

    Answer command(UcmCommand<?> command, UcmCommand.Encoder body) {
        return command(command, (out, base, reply) -> body.encode(out, base));
    }

    Answer command(UcmCommand<?> command, UcmCommand.AskingEncoder body) {
        return command(command.number(), command.requestBytes(), command.replyBytes(), body);
    }

    /** A command of the right form; {@code body} gets the address that commands with a reply put into it. */
    Answer command(int number, int bytes, int replyBytes, UcmCommand.AskingEncoder body) {
        try (CommandArena arena = CommandArena.open()) {
            int reply = arena.allocate(Math.max(8, replyBytes));
            int start = arena.allocate(CmHeader.BYTES + bytes);
            new CmHeader(number, bytes, replyBytes).encode(arena.buffer(), start);
            body.encode(arena.buffer(), start + CmHeader.BYTES, arena.address(reply));
            long result = fd.write(arena.address(start), CmHeader.BYTES + bytes);
            return new Answer(result, bytes(arena, reply, replyBytes));
        }
    }

    private static byte[] bytes(CommandArena arena, int offset, int length) {
        byte[] copy = new byte[length];
        arena.buffer().get(offset, copy);
        return copy;
    }

    /**
     * write(2) of exactly these bytes, whatever they are. The address of a zeroed buffer of {@code replyBytes} is put
     * at {@code replyOffset} first, if that is not negative.
     */
    public Answer write(byte[] bytes, int replyOffset, int replyBytes) {
        try (CommandArena arena = CommandArena.open()) {
            int reply = arena.allocate(Math.max(8, replyBytes));
            int start = arena.allocate(Math.max(8, bytes.length));
            arena.buffer().put(start, bytes);
            if (replyOffset >= 0) {
                arena.buffer().putLong(start + replyOffset, arena.address(reply));
            }
            return new Answer(fd.write(arena.address(start), bytes.length), bytes(arena, reply, replyBytes));
        }
    }

    /**
     * Any command number with any body and with lengths in the header that need not be true. The address of the reply
     * is put at {@code replyOffset} of the body, if that is not negative.
     */
    public Answer raw(int command, byte[] body, int in, int out, int replyOffset, int replyBytes) {
        byte[] bytes = new byte[CmHeader.BYTES + body.length];
        ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
        new CmHeader(command, in, out).encode(buffer, 0);
        buffer.put(CmHeader.BYTES, body);
        return write(bytes, replyOffset < 0 ? -1 : CmHeader.BYTES + replyOffset, replyBytes);
    }

    /** CREATE_ID; {@code qpType} is read for PS_IB only. The handle is {@link Answer#first()}. */
    public Answer createId(long uid, int portSpace, int qpType) {
        return command(UcmCommand.CREATE_ID, new CreateIdCommand(uid, portSpace, qpType)::encode);
    }

    /** LEAVE_MCAST of the handle of a join; {@link Answer#first()} is the count of events reported for it. */
    public Answer leaveMcast(int join) {
        return command(UcmCommand.LEAVE_MCAST, new DestroyIdCommand(join)::encode);
    }

    Answer setOption(SetOption.Command body, byte[] value) {
        try (CommandArena arena = CommandArena.open()) {
            int option = arena.allocate(Math.max(8, value.length));
            arena.buffer().put(option, value);
            long address = arena.address(option);
            return command(UcmCommand.SET_OPTION, (out, base) -> body.encode(out, base, address));
        }
    }

    /** GET_EVENT as a command, for what it answers; {@link RawEvent} is what a success holds. */
    public Answer getEvent() {
        return command(UcmCommand.GET_EVENT, new GetEvent.Command()::encode);
    }

    /** Returns the next event if there is one. On a blocking descriptor, waits for the next event. */
    public Optional<RawEvent> nextEvent() {
        Answer answer = getEvent();
        return answer.isOk() ? Optional.of(RawEvent.decode(answer.reply())) : Optional.empty();
    }

    /** Fetches all queued events; for a descriptor that does not block. */
    public List<RawEvent> events() {
        List<RawEvent> events = new ArrayList<>();
        for (Optional<RawEvent> event = nextEvent(); event.isPresent(); event = nextEvent()) {
            events.add(event.get());
        }
        return events;
    }

    /** The next event, waiting for it; empty when none came in time. */
    public Optional<RawEvent> awaitEvent(Duration timeout) throws RdmaException, InterruptedException {
        Deadline deadline = Deadline.after(timeout);
        Optional<RawEvent> event = nextEvent();
        while (event.isEmpty() && fd.awaitReadable(deadline)) {
            event = nextEvent();
        }
        return event;
    }

    /** Whether poll(2) says that there is an event. */
    public boolean isReadable() throws RdmaException, InterruptedException {
        return fd.awaitReadable(Deadline.after(Duration.ZERO));
    }

    @Override
    public KernelFd descriptor() {
        return fd;
    }

    @Override
    public void close() {
        fd.close();
    }
}
