// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.umad;

import io.github.rdma4j.internal.fd.KernelFd;
import io.github.rdma4j.internal.fd.LinuxKernel;
import io.github.rdma4j.internal.fd.Waiter;
import io.github.rdma4j.internal.mad.MadHeader;
import io.github.rdma4j.internal.memory.CommandArena;
import io.github.rdma4j.internal.memory.NativeMemory;
import io.github.rdma4j.internal.umad.MadIoctls;
import io.github.rdma4j.internal.umad.RegisterAgent;
import io.github.rdma4j.internal.umad.UserMadHeader;
import io.github.rdma4j.internal.undo.Undo;
import io.github.rdma4j.kernel.Deadline;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.Pollable;
import io.github.rdma4j.kernel.RdmaException;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * An open {@code /dev/infiniband/umad*}, which registers agents and sends and receives their MADs. Closing it
 * unregisters its agents. Safe for use by several threads.
 */
public final class UmadDevice implements Pollable, AutoCloseable {
    private static final Duration LONGEST = Duration.ofMillis(Integer.MAX_VALUE);
    private static final long NANOS_PER_MILLI = 1_000_000;

    /** The header that a umad file puts before a MAD. */
    public enum HeaderLayout {
        /** 64 bytes, with the index of the partition key. */
        WITH_PKEY_INDEX(UserMadHeader.BYTES),

        /** 56 bytes, without the index of the partition key, which is then 0. */
        OLD(UserMadHeader.Old.BYTES);

        private final int bytes;

        HeaderLayout(int bytes) {
            this.bytes = bytes;
        }

        int bytes() {
            return bytes;
        }
    }

    /**
     * An agent of a umad file: the right to send MADs of a class, and to receive them. Safe for use by several threads.
     */
    public static final class Agent implements AutoCloseable {
        private final UmadDevice device;
        private final int id;
        private final AtomicBoolean closed = new AtomicBoolean();

        private Agent(UmadDevice device, int id) {
            this.device = device;
            this.id = id;
        }

        /** The kernel's number of the agent, 0 to 31. */
        public int id() {
            return id;
        }

        /**
         * Unregisters the agent and drops its outstanding requests. Does nothing after the device or the agent was
         * closed.
         */
        @Override
        public void close() throws RdmaException {
            if (closed.compareAndSet(false, true)) {
                device.unregister(id);
            }
        }

        @Override
        public String toString() {
            return "UmadAgent[" + id + " of " + device + "]";
        }
    }

    private final KernelFd fd;
    private final HeaderLayout layout;
    private final MadReader reader;
    private final Waiter waiter;

    private UmadDevice(KernelFd fd, Waiter waiter, HeaderLayout layout) {
        this.fd = fd;
        this.waiter = waiter;
        this.layout = layout;
        this.reader = new MadReader(fd, layout);
    }

    /**
     * Opens a device.
     *
     * @param name the name of the node, for example {@code umad0}
     * @param layout the header of the MADs
     */
    public static UmadDevice open(Kernel kernel, String name, HeaderLayout layout) throws RdmaException {
        KernelFd fd = open(
                kernel,
                LinuxKernel.of(kernel).infinibandDirectory().resolve(name).toString());
        return Undo.onFailure(() -> new UmadDevice(fd, Waiter.open(kernel), layout), fd::close);
    }

    private static KernelFd open(Kernel kernel, String path) throws ErrnoException {
        try {
            return KernelFd.openNonBlocking(kernel, path);
        } catch (ErrnoException e) {
            throw new ErrnoException("open " + path, e.errno(), UmadAdvice.open(e.errno(), path));
        }
    }

    @Override
    public Descriptor descriptor() {
        return fd;
    }

    /** Registers an agent. An open device can have 32 agents. */
    public Agent register(AgentOptions options) throws RdmaException {
        boolean isOld = layout == HeaderLayout.OLD;
        if (isOld && options.rmpp() == AgentOptions.Rmpp.USER) {
            throw new IllegalArgumentException("RMPP in user space needs HeaderLayout.WITH_PKEY_INDEX");
        }
        try (CommandArena arena = CommandArena.open()) {
            int base = arena.allocate(RegisterAgent.BYTES);
            if (isOld) {
                options.registration().encodeOld(arena.buffer(), base);
            } else {
                options.registration().encode(arena.buffer(), base);
            }
            int result = fd.ioctl(
                    isOld ? MadIoctls.IB_USER_MAD_REGISTER_AGENT : MadIoctls.IB_USER_MAD_REGISTER_AGENT2,
                    arena.address(base));
            if (result < 0) {
                Errno errno = Errno.ofResult(result);
                String command = isOld ? "IB_USER_MAD_REGISTER_AGENT" : "IB_USER_MAD_REGISTER_AGENT2";
                throw new ErrnoException(command + " on " + fd.name(), errno, UmadAdvice.register(errno));
            }
            return new Agent(this, arena.buffer().getInt(base + RegisterAgent.ID));
        }
    }

    private void unregister(int id) throws ErrnoException {
        if (fd.isClosed()) {
            return;
        }
        try (CommandArena arena = CommandArena.open()) {
            int base = arena.allocate(Integer.BYTES);
            arena.buffer().putInt(base, id);
            int result = fd.ioctl(MadIoctls.IB_USER_MAD_UNREGISTER_AGENT, arena.address(base));
            if (result < 0) {
                throw new ErrnoException("IB_USER_MAD_UNREGISTER_AGENT on " + fd.name(), Errno.ofResult(result));
            }
        }
    }

    /**
     * Sends a MAD.
     *
     * @param agent an agent of this device
     * @param mad the bytes between position and limit: 256, or more for a message that the kernel segments
     * @param timeout the longest time until an answer; zero for a MAD without an answer
     * @param retries the number of times that the kernel repeats the MAD after {@code timeout}. Then {@link #receive}
     *     delivers its header with the status {@link ReceivedMad#NO_ANSWER}
     */
    public void send(Agent agent, MadAddress to, ByteBuffer mad, Duration timeout, int retries) throws RdmaException {
        if (agent.device != this) {
            throw new IllegalArgumentException(agent + " is not an agent of " + this);
        }
        UserMadHeader header = new UserMadHeader(agent.id(), 0, millis(timeout), retries, 0, to);
        int bytes = layout.bytes() + mad.remaining();
        if (mad.remaining() <= MadHeader.MAD_BYTES) {
            try (CommandArena arena = CommandArena.open()) {
                int base = arena.allocate(bytes);
                fill(arena.buffer(), base, header, mad);
                write(arena.address(base), bytes);
            }
        } else {
            ByteBuffer memory = ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
            try {
                fill(memory, 0, header, mad);
                write(NativeMemory.address(memory), bytes);
            } finally {
                Reference.reachabilityFence(memory);
            }
        }
    }

    private void fill(ByteBuffer memory, int base, UserMadHeader header, ByteBuffer mad) {
        header.encode(memory, base, layout.bytes());
        memory.put(base + layout.bytes(), mad, mad.position(), mad.remaining());
    }

    private void write(long start, int bytes) throws ErrnoException {
        long result = fd.write(start, bytes);
        if (result < 0) {
            Errno errno = Errno.ofResult(result);
            throw new ErrnoException("write " + fd.name(), errno, UmadAdvice.write(errno));
        }
    }

    /** Rounds up, because 0 means that no answer is expected. */
    private static int millis(Duration timeout) {
        if (timeout.compareTo(LONGEST) >= 0) {
            return Integer.MAX_VALUE;
        }
        return (int) Math.max(0, timeout.plusNanos(NANOS_PER_MILLI - 1).toMillis());
    }

    /**
     * Waits for the next MAD of any agent.
     *
     * @param maxBytes the longest accepted message, as in {@link MadTransport#receive}
     * @return empty after the timeout
     */
    public Optional<ReceivedMad> receive(Duration timeout, int maxBytes) throws RdmaException, InterruptedException {
        if (fd.isClosed()) {
            throw new IllegalStateException(fd.name() + " is closed");
        }
        Deadline deadline = Deadline.after(timeout);
        while (waiter.awaitReadable(fd, deadline)) {
            Optional<ReceivedMad> mad = reader.next(maxBytes);
            if (mad.isPresent()) {
                return mad;
            }
        }
        return Optional.empty();
    }

    /** Closes the device and ends a waiting {@link #receive}. */
    @Override
    public void close() {
        fd.close();
        waiter.close();
    }

    @Override
    public String toString() {
        return fd.toString();
    }
}
