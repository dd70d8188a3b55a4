// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.kernel;

import io.github.rdma4j.internal.fd.LinuxKernel;
import io.github.rdma4j.internal.memory.NativeMemory;
import io.github.rdma4j.internal.netlink.NetlinkAbi.NetlinkConstants;
import io.github.rdma4j.internal.testkit.IwarpQueuePairs;
import io.github.rdma4j.internal.testkit.MemoryKernel;
import io.github.rdma4j.internal.testkit.NetlinkFile;
import io.github.rdma4j.internal.testkit.OpenFile;
import io.github.rdma4j.internal.testkit.SysfsTree;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.providers.card.Card;
import io.github.rdma4j.providers.card.CardQp;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.RdmaDevices;
import io.github.rdma4j.verbs.attr.AhAttr;
import io.github.rdma4j.verbs.attr.Gid;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A kernel in memory with one device in software: {@link #kernel()} is what programs open the device on, and {@link #card()} is the
 * device, which does nothing unless it is made to step.
 *
 * <p>Safe for use by several threads.
 */
public final class CardKernel extends MemoryKernel {
    /** The IPv4 address of the port. */
    public static final String IPV4 = "10.77.0.1";

    /** The IPv6 address of the port. */
    public static final String IPV6 = "fd77::1";

    /** The index of {@link #IPV4} as a GID of RoCE v2. */
    public static final int IPV4_GID = 3;

    /** The way from the port to itself, as a GID of RoCE v2 that has {@link #IPV4}. */
    public static final AhAttr WAY = AhAttr.to(Gid.parse("0000:0000:0000:0000:0000:ffff:0a4d:0001"), IPV4_GID, 1);

    /** Another process may have these descriptors beside its own. */
    private static final int FIRST_DESCRIPTOR = 500;

    private final Memory memory;
    private final Hca hca;
    private final Kernel kernel;
    private final AtomicReference<@Nullable Runnable> afterIoctl = new AtomicReference<>();

    /** One folder for all kernels of a JVM that have a device of the same name. */
    private static final Map<String, Path> SYSFS = new ConcurrentHashMap<>();

    /** A file of the file system, of which only the inode counts. */
    static final class PlainFile extends OpenFile {
        private final Object inode;

        PlainFile(Object inode) {
            this.inode = inode;
        }

        Object inode() {
            return inode;
        }
    }

    /** A dma-buf: memory of another driver, which lasts for as long as a descriptor or a memory region refers to it. */
    static final class DmaBuf extends OpenFile {
        private final ByteBuffer memory;

        DmaBuf(ByteBuffer memory) {
            this.memory = memory;
        }

        long length() {
            return memory.capacity();
        }

        /** The address where the device reaches the memory, which the process does not know. */
        long address() {
            return NativeMemory.address(memory);
        }
    }

    /** A kernel with a device as {@code settings} say. */
    public CardKernel(CardSettings<?> settings) {
        this(settings, new Memory(settings.lockedBytes, settings.shared));
    }

    private CardKernel(CardSettings<?> settings, Memory memory) {
        super(memory, FIRST_DESCRIPTOR);
        this.memory = memory;
        this.hca = new Hca(settings, memory, lock(), this::add, this::wakeWaiters);
        Path sysfs = SYSFS.computeIfAbsent(device(), name -> SysfsTree.make(Hca.sysfs(name)));
        this.kernel = new LinuxKernel(this, sysfs, Path.of("/dev"));
    }

    /** The name of the device. */
    public String device() {
        return hca.settings().model().device();
    }

    public Kernel kernel() {
        return kernel;
    }

    /** Opens the device. */
    public DeviceContext openDevice() throws RdmaException {
        return DeviceContext.open(kernel, RdmaDevices.find(kernel, device()));
    }

    public Card card() {
        return hca.card();
    }

    /** The queue pairs of an iWARP device, for the connection manager, which moves them. */
    public Optional<IwarpQueuePairs> iwarpQueuePairs() {
        return hca.settings().iwarp ? Optional.of(new IwarpConnections(this, hca)) : Optional.empty();
    }

    // ---- system calls

    @Override
    public int open(String path, int flags) {
        return locked(() -> {
            try {
                if (!path.endsWith("/" + Hca.NODE)) {
                    return add(new PlainFile(inode(path)));
                }
                Refusal.unless(!hca.isRemoved(), Errno.ENOENT);
                hca.admit(KernelCommand.OPEN);
                return add(new UverbsFile(hca, this));
            } catch (Refusal refusal) {
                return refusal.result();
            }
        });
    }

    private static Object inode(String path) throws Refusal {
        try {
            return Files.getAttribute(Path.of(path), "unix:ino");
        } catch (IOException e) {
            throw new Refusal(Errno.ENOENT);
        }
    }

    @Override
    public int ioctl(int fd, long request, long address) {
        int result = super.ioctl(fd, request, address);
        Runnable then = afterIoctl.getAndSet(null);
        if (then != null) {
            then.run();
        }
        return result;
    }

    @Override
    public int socket(int domain, int type, int protocol) {
        if (protocol == NetlinkConstants.NETLINK_ROUTE) {
            return locked(() -> add(new RouteFile(hca.gids())));
        }
        CardSettings<?> settings = hca.settings();
        NetlinkFile.Node node = new NetlinkFile.Node(
                NetlinkFile.UVERBS, Hca.NODE, Hca.NODE_NUMBER, settings.driverAbi, settings.driverId());
        NetlinkFile.Link link = settings.iwarp ? NetlinkFile.Link.IWARP : NetlinkFile.Link.ROCE;
        return locked(() -> add(new NetlinkFile(
                device(), Hca.NODE_GUID, link, () -> locked(hca::isRemoved) ? List.of() : List.of(node))));
    }

    @Override
    public long lockedMemoryLimit() {
        return memory.lockedBytesLimit();
    }

    // ---- faults

    /** Refuses the next command of that kind that is not refused yet; the command has no effect. */
    public void failNext(KernelCommand command, Errno errno) {
        run(() -> hca.refuse(command, errno));
    }

    /** Takes the device away: commands fail with EIO, doorbells go nowhere, DEVICE_FATAL comes. */
    public void removeDevice() {
        run(hca::remove);
    }

    /** The device stops working for good and says so by DEVICE_FATAL; commands still work. */
    public void failDevice() {
        run(hca::fail);
    }

    /** The thread of the next ioctl runs {@code action} after the command, before the call returns. */
    public void afterNextCommand(Runnable action) {
        afterIoctl.set(action);
    }

    /** A descriptor, for the process to own, of a new dma-buf with the bytes of {@code memory}, a direct buffer. */
    public int makeDmaBuf(ByteBuffer memory) {
        return locked(() -> add(new DmaBuf(memory)));
    }

    // ---- what is there

    /** The number of open descriptors, without eventfds, which rdma4j keeps to wait again. */
    public int descriptors() {
        return openFiles();
    }

    /** The kinds of the objects that exist, sorted: {@code pd}, {@code cq}, {@code qp}, {@code uar} and so on. */
    public List<String> objects() {
        return locked(hca::objects);
    }

    /** The number of pages that are pinned for the device. */
    public int lockedPages() {
        return locked(memory::lockedPages);
    }

    /** What the process did wrong towards kernel or device. */
    public List<String> complaints() {
        return card().complaints();
    }

    /** What is left of the objects of the process and what went wrong; empty if there is nothing of both. */
    public String left() {
        boolean clean = descriptors() == 0
                && objects().isEmpty()
                && lockedPages() == 0
                && complaints().isEmpty();
        return clean
                ? ""
                : descriptors() + " descriptors, objects " + objects() + ", " + lockedPages()
                        + " pinned pages; complaints: " + complaints() + "; " + card();
    }

    /** Fails when a descriptor, an object or a pinned page is left, or when there is a complaint. */
    public void assertClean() {
        if (!left().isEmpty()) {
            throw new AssertionError("left: " + left());
        }
    }

    /**
     * What the driver of an iWARP device does for the connection manager. What is posted goes out before the end of a connection. A
     * queue pair that is gone is left alone.
     */
    private record IwarpConnections(MemoryKernel kernel, Hca hca) implements IwarpQueuePairs {
        @Override
        public void connect(int qpn, int peer) {
            kernel.run(() -> {
                hca.queuePair(qpn).ifPresent(qp -> QpStates.connect(hca, qp, peer));
                hca.queuePair(peer).ifPresent(qp -> QpStates.connect(hca, qp, qpn));
            });
        }

        @Override
        public void disconnect(int qpn) {
            kernel.run(() -> hca.queuePair(qpn).ifPresent(qp -> {
                hca.card().settle();
                hca.card().moveQp(qp.qp(), CardQp.ERR);
            }));
        }
    }
}
