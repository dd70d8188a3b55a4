// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.netlink;

import io.github.rdma4j.internal.fd.KernelFd;
import io.github.rdma4j.internal.fd.LinuxKernel;
import io.github.rdma4j.internal.fd.NodeAdvice;
import io.github.rdma4j.internal.libc.Syscalls;
import io.github.rdma4j.internal.memory.NativeMemory;
import io.github.rdma4j.internal.netlink.NetlinkAbi.NetlinkConstants;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.MalformedReplyException;
import io.github.rdma4j.kernel.RdmaException;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A netlink socket for RDMA, or for routes and neighbours. The kernel answers within the write (a dump: within each
 * read), so the socket is non-blocking: if there is nothing to read, the kernel has no more messages. Not safe for use
 * by several threads.
 */
public final class RdmaNetlink implements AutoCloseable {
    /** More than 32 KiB, the kernel's limit for one part of a dump. */
    private static final int REPLY_BYTES = 64 * 1024;

    /** Errors of a kernel or process without resources for a socket. */
    private static final Set<Errno> EXHAUSTED = Set.of(Errno.EMFILE, Errno.ENFILE, Errno.ENOMEM, Errno.ENOBUFS);

    private static final Queue<ByteBuffer> POOL = new ConcurrentLinkedQueue<>();

    private final ByteBuffer memory;

    /** Opened last, after all memory is allocated. */
    private final KernelFd socket;

    private int sequence;

    private RdmaNetlink(Kernel kernel, int protocol, String name) throws ErrnoException {
        ByteBuffer pooled = POOL.poll();
        this.memory =
                pooled != null ? pooled : ByteBuffer.allocateDirect(REPLY_BYTES).order(ByteOrder.nativeOrder());
        try {
            this.socket = openSocket(kernel, protocol, name);
        } catch (Throwable e) {
            POOL.add(memory);
            throw e;
        }
    }

    /**
     * Throws {@code failure} if a socket could not be opened for lack of resources. Returns if netlink lacks the
     * answer; the caller then reads sysfs, which has fewer properties.
     */
    public static void rethrowIfExhausted(ErrnoException failure) throws ErrnoException {
        if (EXHAUSTED.contains(failure.errno())) {
            throw failure;
        }
    }

    /** Fails with EPROTONOSUPPORT if no RDMA module is loaded (ib_core is the other end). */
    public static RdmaNetlink open(Kernel kernel) throws ErrnoException {
        return new RdmaNetlink(kernel, NetlinkConstants.NETLINK_RDMA, "NETLINK_RDMA");
    }

    /** A socket for the requests of {@link Neighbours}. */
    static RdmaNetlink openRoutes(Kernel kernel) throws ErrnoException {
        return new RdmaNetlink(kernel, NetlinkConstants.NETLINK_ROUTE, "NETLINK_ROUTE");
    }

    private static KernelFd openSocket(Kernel kernel, int protocol, String name) throws ErrnoException {
        int fd = LinuxKernel.of(kernel).syscalls().socket(Syscalls.AF_NETLINK, Syscalls.SOCK_RAW, protocol);
        if (fd < 0) {
            Errno errno = Errno.ofResult(fd);
            throw new ErrnoException("socket " + name, errno, NodeAdvice.forDescriptors(errno));
        }
        KernelFd socket = KernelFd.adopt(kernel, fd, name + " socket");
        try {
            socket.setNonBlocking();
            return socket;
        } catch (Throwable e) {
            socket.close();
            throw e;
        }
    }

    /** Sends a request that has one reply. */
    public NetlinkMessage.Attributes ask(NetlinkRequest request) throws RdmaException {
        return only(request, converse(request));
    }

    /** Like {@link #ask}, for requests whose reply begins with a struct. */
    NetlinkMessage message(NetlinkRequest request) throws RdmaException {
        return only(request, messages(request));
    }

    private static <T> T only(NetlinkRequest request, List<T> answers) throws MalformedReplyException {
        if (answers.size() != 1) {
            throw new MalformedReplyException(
                    request.operation() + " (" + answers.size() + " messages instead of one)", 0, 0);
        }
        return answers.get(0);
    }

    /** Sends a request and collects the replies up to the kernel's end mark. */
    public List<NetlinkMessage.Attributes> converse(NetlinkRequest request) throws RdmaException {
        List<NetlinkMessage.Attributes> answers = new ArrayList<>();
        for (NetlinkMessage message : messages(request)) {
            answers.add(message.attributes());
        }
        return answers;
    }

    /** Like {@link #converse}, for requests whose replies begin with a struct. */
    List<NetlinkMessage> messages(NetlinkRequest request) throws RdmaException {
        send(request);
        List<NetlinkMessage> answers = new ArrayList<>();
        boolean more = true;
        while (more) {
            for (NetlinkMessage message : NetlinkMessage.split(receive(request))) {
                // Skips leftovers of an earlier conversation that failed.
                if (message.sequence() == sequence) {
                    more = collect(request, message, answers) && more;
                }
            }
        }
        return answers;
    }

    /** Returns true if more messages follow. */
    private static boolean collect(NetlinkRequest request, NetlinkMessage message, List<NetlinkMessage> answers)
            throws RdmaException {
        return switch (message.type()) {
            case NetlinkConstants.NLMSG_NOOP -> true;
            case NetlinkConstants.NLMSG_ERROR, NetlinkConstants.NLMSG_DONE -> {
                if (message.result() < 0) {
                    throw new ErrnoException(request.operation(), Errno.ofResult(message.result()));
                }
                yield false;
            }
            case NetlinkConstants.NLMSG_OVERRUN ->
                throw new RdmaException(request.operation() + ": the kernel lost part of its reply; try again");
            default -> {
                answers.add(message);
                yield message.isPartOfDump();
            }
        };
    }

    private void send(NetlinkRequest request) throws ErrnoException {
        byte[] bytes = request.bytes(++sequence);
        memory.put(0, bytes);
        try {
            long written = socket.write(NativeMemory.address(memory), bytes.length);
            if (written < 0) {
                throw new ErrnoException(request.operation(), Errno.ofResult(written));
            }
        } finally {
            Reference.reachabilityFence(memory);
        }
    }

    private byte[] receive(NetlinkRequest request) throws RdmaException {
        long read;
        try {
            read = socket.read(NativeMemory.address(memory), REPLY_BYTES);
        } finally {
            Reference.reachabilityFence(memory);
        }
        if (read < 0) {
            throw new ErrnoException(request.operation() + " (reading the reply)", Errno.ofResult(read));
        }
        if (read == 0) {
            throw new MalformedReplyException(request.operation(), 0, 0);
        }
        byte[] datagram = new byte[(int) read];
        memory.get(0, datagram);
        return datagram;
    }

    @Override
    public void close() {
        if (!socket.isClosed()) {
            socket.close();
            POOL.add(memory);
        }
    }
}
