// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.discovery;

import io.github.rdma4j.internal.fd.KernelFd;
import io.github.rdma4j.internal.fd.LinuxKernel;
import io.github.rdma4j.internal.libc.Syscalls;
import io.github.rdma4j.internal.memory.NativeMemory;
import io.github.rdma4j.internal.netlink.NetlinkAbi.NetlinkConstants;
import io.github.rdma4j.internal.netlink.RdmaNetlink;
import io.github.rdma4j.kernel.Deadline;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.RdmaException;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Reports when the kernel begins to remove a verbs device. The kernel sends a message for each device that is added or
 * removed (the messages that udev receives). A removal is sent after the device's link has gone from sysfs, and before
 * the kernel waits for all processes to close the verbs device. Drivers such as rxe and siw have no other report of a
 * removal.
 */
public final class RemovalWatch {
    /** The size of the receive buffer. Longer messages are truncated, which loses nothing needed here. */
    private static final int MESSAGE_BYTES = 8192;

    /** {@code struct sockaddr_nl}: the family, 2 bytes of padding, the port (chosen by the kernel), and the groups. */
    private static final int ADDRESS_BYTES = 12;

    private static final int GROUPS = 8;

    /** The multicast group of messages from the kernel itself. */
    private static final int KERNEL_GROUP = 1;

    private final KernelFd socket;
    private final Path link;
    private final ByteBuffer memory = ByteBuffer.allocateDirect(MESSAGE_BYTES).order(ByteOrder.nativeOrder());

    /** The socket is opened last, after the direct memory is allocated. */
    private RemovalWatch(Kernel kernel, Path link) throws ErrnoException {
        this.link = link;
        this.socket = openSocket(kernel, "news of the removal of " + link.getFileName());
    }

    private static KernelFd openSocket(Kernel kernel, String name) throws ErrnoException {
        int fd = LinuxKernel.of(kernel)
                .syscalls()
                .socket(Syscalls.AF_NETLINK, Syscalls.SOCK_RAW, NetlinkConstants.NETLINK_KOBJECT_UEVENT);
        if (fd < 0) {
            throw new ErrnoException("socket NETLINK_KOBJECT_UEVENT", Errno.ofResult(fd));
        }
        return KernelFd.adopt(kernel, fd, name);
    }

    /**
     * Watches the device with the name {@code verbsName}, such as {@code uverbs0}. Empty if the kernel cannot report
     * removals: without sysfs, or if netlink sockets are forbidden.
     */
    public static Optional<RemovalWatch> open(Kernel kernel, String verbsName) throws ErrnoException {
        Path devices = LinuxKernel.of(kernel).sysfs().resolve("class").resolve(SysfsDevices.VERBS_CLASS);
        if (!Files.isDirectory(devices)) {
            return Optional.empty();
        }
        RemovalWatch news;
        try {
            news = new RemovalWatch(kernel, devices.resolve(verbsName));
        } catch (ErrnoException e) {
            RdmaNetlink.rethrowIfExhausted(e);
            return Optional.empty();
        }
        if (!news.subscribe(LinuxKernel.of(kernel).syscalls())) {
            news.socket.close();
            return Optional.empty();
        }
        return Optional.of(news);
    }

    private boolean subscribe(Syscalls syscalls) throws ErrnoException {
        memory.putShort(0, (short) Syscalls.AF_NETLINK).putInt(GROUPS, KERNEL_GROUP);
        try {
            boolean bound =
                    socket.use(number -> syscalls.bind(number, NativeMemory.address(memory), ADDRESS_BYTES)) == 0;
            if (bound) {
                socket.setNonBlocking();
            }
            return bound;
        } finally {
            Reference.reachabilityFence(memory);
        }
    }

    /** Closing the descriptor ends the wait. */
    public KernelFd descriptor() {
        return socket;
    }

    /** Waits until the kernel has begun to remove the device. */
    public void await() throws RdmaException, InterruptedException {
        while (Files.exists(link, LinkOption.NOFOLLOW_LINKS)) {
            socket.awaitReadable(Deadline.never());
            drain();
        }
    }

    /** Called before each check of the device: a message that arrives later triggers another check. */
    private void drain() {
        long read;
        try {
            do {
                read = socket.read(NativeMemory.address(memory), MESSAGE_BYTES);
            } while (read >= 0 || read == -Errno.ENOBUFS.number()); // messages were lost, but more may be queued
        } finally {
            Reference.reachabilityFence(memory);
        }
    }
}
