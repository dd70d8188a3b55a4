// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.discovery.Discovery;
import io.github.rdma4j.internal.fd.KernelFd;
import io.github.rdma4j.internal.fd.LinuxKernel;
import io.github.rdma4j.internal.fd.NodeAdvice;
import io.github.rdma4j.internal.ioctl.ControlPath;
import io.github.rdma4j.internal.memory.CommandArena;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.Creation;
import io.github.rdma4j.internal.provider.DriverContext;
import io.github.rdma4j.internal.sysfs.RdmaPort;
import io.github.rdma4j.internal.undo.FirstFailure;
import io.github.rdma4j.internal.undo.Undo;
import io.github.rdma4j.internal.uverbs.CqCommands.AsyncEventDesc;
import io.github.rdma4j.internal.uverbs.ExtendedDeviceAttrBytes;
import io.github.rdma4j.kernel.Deadline;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.Pollable;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.AhAttr;
import io.github.rdma4j.verbs.attr.AsyncEventType;
import io.github.rdma4j.verbs.attr.DeviceAttr;
import io.github.rdma4j.verbs.attr.Gid;
import io.github.rdma4j.verbs.attr.GidEntry;
import io.github.rdma4j.verbs.attr.Grh;
import io.github.rdma4j.verbs.attr.PathMtu;
import io.github.rdma4j.verbs.attr.PathRecord;
import io.github.rdma4j.verbs.attr.PortAttr;
import io.github.rdma4j.verbs.attr.RdmaDevice;
import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * An open RDMA device ({@code ibv_open_device(3)}), the root of all verbs objects of the device.
 *
 * <p>Closing the context closes all of these objects. Safe for use by several threads.
 *
 * <pre>{@code
 * try (DeviceContext context = DeviceContext.open("rxe0");
 *         ProtectionDomain pd = context.allocatePd()) {
 *     MemoryRegion region = pd.registerMr(buffer, EnumSet.of(Access.LOCAL_WRITE));
 *     ...
 * }
 * }</pre>
 */
public final class DeviceContext extends VerbsObject {
    private static final Cleaner CLEANER = Cleaner.create();
    private static final int FIRST_PORT = 1;

    private final Kernel kernel;
    private final RdmaDevice device;
    private final OpenFiles files;
    private final ControlPath control;
    private final int completionVectors;
    private final AtomicLong cookies = new AtomicLong();
    private final Map<Cookie, VerbsObject> queues = new ConcurrentHashMap<>();
    private final DriverContext driver;
    private final DeviceRemoval removal;
    private volatile @Nullable PortAttr port;
    private volatile DeviceAttr.@Nullable Extended capabilities;

    private DeviceContext(ProviderDevice open, OpenFiles files, int completionVectors, DriverContext driver) {
        this.kernel = open.kernel();
        this.device = open.device();
        this.files = files;
        this.control = open.control();
        this.completionVectors = completionVectors;
        this.driver = driver;
        this.removal = new DeviceRemoval(kernel, device, files);
        CLEANER.register(this, files::abandon);
    }

    /** Opens the device named {@code name}, such as {@code rxe0}, of the running kernel. */
    public static DeviceContext open(String name) throws RdmaException {
        Kernel kernel = Kernel.running();
        return open(kernel, RdmaDevices.find(kernel, name));
    }

    /** Opens a device of the running kernel that {@link RdmaDevices} has found. */
    public static DeviceContext open(RdmaDevice device) throws RdmaException {
        return open(Kernel.running(), device);
    }

    /** Opens a device that {@link RdmaDevices} has found. */
    public static DeviceContext open(Kernel kernel, RdmaDevice device) throws RdmaException {
        String path = LinuxKernel.of(kernel)
                .infinibandDirectory()
                .resolve(device.requireUverbsName())
                .toString();
        KernelFd fd = openNode(kernel, device, path);
        return Undo.onFailure(() -> open(kernel, device, fd), fd::close);
    }

    private static DeviceContext open(Kernel kernel, RdmaDevice device, KernelFd fd) throws RdmaException {
        ControlPath control = ControlPath.of(fd, device.driverId());
        ProviderDevice open = new ProviderDevice(kernel, device, fd, control);
        Creation<ByteBuffer, DriverContext> creation = Providers.context(open);
        String async = "asynchronous events of " + device.name();
        ControlPath.NewContext made =
                Undo.onFailure(() -> control.getContext(creation, async), () -> creation.abandon(true));
        return Undo.onFailure(() -> open(open, creation, made), made.async()::close);
    }

    private static DeviceContext open(
            ProviderDevice open, Creation<ByteBuffer, DriverContext> creation, ControlPath.NewContext made)
            throws RdmaException {
        DriverContext driver = Undo.onFailure(() -> creation.finish(made.driverReply()), () -> creation.abandon(true));
        return Undo.onFailure(
                () -> {
                    made.async().setNonBlocking();
                    return new DeviceContext(open, new OpenFiles(open, made.async()), made.completionVectors(), driver);
                },
                driver::close);
    }

    private static KernelFd openNode(Kernel kernel, RdmaDevice device, String path) throws ErrnoException {
        KernelFd fd;
        try {
            fd = KernelFd.open(kernel, path);
        } catch (ErrnoException e) {
            throw new ErrnoException(e.operation(), e.errno(), NodeAdvice.forOpen(e.errno(), path, "ib_uverbs"));
        }
        long node = fd.use(LinuxKernel.of(kernel).syscalls()::characterDevice);
        if (node != device.characterDevice()) {
            fd.close();
            throw new ErrnoException(
                    "open " + path,
                    Errno.ENXIO,
                    "The node does not have the device number of " + device.name() + ": recreate the node, or pass"
                            + " the right one into the container");
        }
        return fd;
    }

    /** Returns the device that was opened. */
    public RdmaDevice device() {
        return device;
    }

    /** Returns the number of completion vectors. {@link #createCq} accepts vectors from 0 to this number minus 1. */
    public int completionVectors() {
        return completionVectors;
    }

    /** Queries the limits and capabilities of the device ({@code ibv_query_device(3)}). */
    public DeviceAttr queryDevice() throws RdmaException {
        return whileOpen(control::queryDevice);
    }

    /**
     * Queries the limits and capabilities of the device, including those added by later kernels
     * ({@code ibv_query_device_ex(3)}), as far as the kernel and the driver report them.
     */
    public DeviceAttr.Extended queryDeviceEx() throws RdmaException {
        return whileOpen(this::askDevice);
    }

    private DeviceAttr.Extended askDevice() throws ErrnoException {
        Optional<ByteBuffer> reply = control.queryDeviceEx();
        return reply.isPresent()
                ? ExtendedDeviceAttrBytes.decode(reply.get(), 0)
                : ExtendedDeviceAttrBytes.of(control.queryDevice());
    }

    /** Queries the state and limits of a port ({@code ibv_query_port(3)}). Ports are numbered from 1. */
    public PortAttr queryPort(int portNumber) throws RdmaException {
        return whileOpen(() -> control.queryPort(portNumber));
    }

    /**
     * Returns the address of the sender of a datagram, for {@link ProtectionDomain#createAh} ({@code
     * ibv_init_ah_from_wc(3)}): the local identifier, service level and path bits of the completion, and, if the
     * datagram has a global route header, the sender's GID from this header. The source of the returned address is the
     * GID to which the datagram was sent; if the port has this GID in two versions, the GID of RoCE v2.
     *
     * @param completion the successful receive of the datagram
     * @param memory the receive buffer
     * @param offset the offset of the {@link Grh#BYTES} bytes in front of the message; only read if {@link
     *     WorkCompletion#hasGrh()} returns true
     * @param portNum the port that received the datagram, from 1
     * @throws IllegalArgumentException if the completion reports a header, but the bytes contain none
     * @throws IndexOutOfBoundsException if the buffer has fewer bytes
     * @throws RdmaException if the destination in the header is not a GID of the port, for example a multicast GID
     */
    public AhAttr ahAttrFromWc(WorkCompletion completion, ByteBuffer memory, int offset, int portNum)
            throws RdmaException {
        if (!completion.hasGrh()) {
            return completion.sender(portNum);
        }
        Grh header = Grh.decode(memory, offset);
        return completion.sender(header, gidIndex(portNum, header.destination()), portNum);
    }

    /**
     * Returns the address at the end of a path, for {@link ProtectionDomain#createAh} (the kernel's
     * {@code ib_init_ah_attr_from_path}). The address has a global route header on Ethernet, and on InfiniBand if the path
     * leaves the subnet.
     *
     * @param path a path from the port, for example of {@code CmId.paths}
     * @param portNum the port, from 1
     * @throws RdmaException if the source of the path is no GID of the port
     */
    public AhAttr ahAttrFromPath(PathRecord path, int portNum) throws RdmaException {
        boolean global = path.dlid() == 0 || path.hopLimit() > 1;
        int pathBits = path.slid() & ((1 << queryPort(portNum).lmc()) - 1);
        return new AhAttr(
                path.dgid(),
                path.flowLabel(),
                global ? gidIndex(portNum, path.sgid()) : 0,
                path.hopLimit(),
                path.trafficClass(),
                path.dlid(),
                path.sl(),
                pathBits,
                path.rate().code(),
                global,
                portNum);
    }

    private int gidIndex(int portNum, Gid gid) throws RdmaException {
        return queryGids().stream()
                .filter(entry -> entry.portNum() == portNum && entry.gid().equals(gid))
                .max(Comparator.comparing(entry -> entry.gidType() == GidEntry.Type.ROCE_V2))
                .map(GidEntry::gidIndex)
                .orElseThrow(() -> new RdmaException("no GID of port " + portNum + " is " + gid));
    }

    /** Returns the populated GIDs of all ports ({@code ibv_query_gid_table(3)}). */
    public List<GidEntry> queryGids() throws RdmaException {
        Optional<List<GidEntry>> table = whileOpen(control::queryGidTable);
        return table.isPresent() ? table.get() : Discovery.gidTable(kernel, device);
    }

    /**
     * Returns the partition keys of a port in index order ({@code ibv_query_pkey(3)}). The keys are in host byte order.
     * Ports are numbered from 1.
     */
    public List<Integer> queryPkeys(int portNumber) throws RdmaException {
        ensureOpen();
        return RdmaPort.of(kernel, device.name(), portNumber).pkeys();
    }

    /** Creates a protection domain ({@code ibv_alloc_pd(3)}). */
    public ProtectionDomain allocatePd() throws RdmaException {
        return create(
                () -> {
                    Created.Pd made = control.allocPd(driver.protectionDomain());
                    return Undo.onFailure(
                            () -> new ProtectionDomain(this, made),
                            () -> control.destroy(ControlPath.Kind.PD, made.handle()));
                },
                this);
    }

    /** Creates a completion channel ({@code ibv_create_comp_channel(3)}). */
    public CompletionChannel createCompletionChannel() throws RdmaException {
        return create(
                () -> {
                    KernelFd fd = control.createCompChannel("completion channel of " + device.name());
                    return Undo.onFailure(() -> openChannel(fd), () -> closeChannel(fd));
                },
                this);
    }

    private CompletionChannel openChannel(KernelFd fd) throws ErrnoException {
        files.add(fd);
        fd.setNonBlocking();
        return new CompletionChannel(this, fd);
    }

    void closeChannel(KernelFd fd) {
        fd.close();
        files.others().remove(fd);
    }

    /**
     * Creates a completion queue without a channel, for polling ({@code ibv_create_cq(3)}).
     *
     * @param entries the minimum number of completions that the queue can hold
     * @throws UnsupportedDriverException if the library has no provider for the device's driver
     */
    public CompletionQueue createCq(int entries) throws RdmaException {
        return CompletionQueue.create(this, entries, 0, null);
    }

    /**
     * Creates a completion queue that notifies {@code channel} after {@link CompletionQueue#requestNotification}.
     *
     * @param entries the minimum number of completions that the queue can hold
     * @param vector the completion vector, 0 to {@link #completionVectors()} minus 1
     * @throws UnsupportedDriverException if the library has no provider for the device's driver
     */
    public CompletionQueue createCq(int entries, int vector, CompletionChannel channel) throws RdmaException {
        return CompletionQueue.create(this, entries, vector, channel);
    }

    /**
     * Returns the source of asynchronous events, for waits with {@code ReadinessSet}. When it is ready,
     * {@link #awaitAsyncEvent} with {@link Duration#ZERO} takes an event. The context owns the source and closes it.
     */
    public Pollable asyncEvents() {
        return files.async();
    }

    /**
     * Registers {@code user} to be closed once, by a library thread, when the kernel begins to remove the device.
     * Closes {@code user} immediately if the removal has begun. A driver that cannot revoke the objects of a device,
     * such as rxe or siw, delays a removal until every context of the device is closed. For such drivers, call
     * {@code context.closeWhenRemoved(context)}. Exceptions thrown by {@code close} go to the uncaught exception
     * handler of the thread.
     *
     * <p>The kernel announces a removal by a uevent, which does not reach a container with its own user namespace.
     * {@link AsyncEventType#DEVICE_FATAL} also announces it if the program calls {@link #awaitAsyncEvent}.
     *
     * @param user the resource to close, such as this context, or objects that the program keeps on it without a
     *     connection
     */
    public void closeWhenRemoved(AutoCloseable user) throws RdmaException {
        ensureOpen();
        removal.add(user);
    }

    DeviceRemoval removal() {
        return removal;
    }

    /** Waits for an asynchronous event of the device, its ports or its queues; returns empty after {@code timeout}. */
    public Optional<AsyncEvent> awaitAsyncEvent(Duration timeout) throws RdmaException, InterruptedException {
        Deadline deadline = Deadline.after(timeout);
        Optional<AsyncEvent> event = nextAsyncEvent();
        while (event.isEmpty() && files.async().awaitReadable(deadline)) {
            event = nextAsyncEvent();
        }
        return event;
    }

    private Optional<AsyncEvent> nextAsyncEvent() throws RdmaException {
        try (CommandArena arena = CommandArena.open()) {
            int record = arena.allocate(AsyncEventDesc.BYTES);
            long read = files.async().read(arena.address(record), AsyncEventDesc.BYTES);
            if (read == -Errno.EAGAIN.number()) {
                return Optional.empty();
            }
            if (read < 0) {
                throw new ErrnoException("read of " + files.async().name(), Errno.ofResult(read));
            }
            AsyncEventDesc event = AsyncEventDesc.decode(arena.buffer(), record);
            AsyncEvent found = AsyncEvent.of(event.eventType(), event.element(), queues);
            heed(found);
            return Optional.of(found);
        }
    }

    /** Handles an event within the library, before the program receives it. */
    private void heed(AsyncEvent event) throws RdmaException {
        switch (event.type()) {
            case CQ_ERR -> event.completionQueue().ifPresent(CompletionQueue::overrun);
            case QP_FATAL, QP_REQ_ERR, QP_ACCESS_ERR, PATH_MIG_ERR -> {
                if (event.queuePair().isPresent()) {
                    event.queuePair().get().failByEvent();
                }
            }
            case DEVICE_FATAL -> removal.happened();
            default -> {}
        }
    }

    Kernel kernel() {
        return kernel;
    }

    ControlPath control() {
        return control;
    }

    DriverContext driver() {
        return driver;
    }

    OpenFiles files() {
        return files;
    }

    /** Rejects a capability that the device lacks. Queries the device once, and again after a failed query. */
    void require(DeviceAttr.Capability capability) {
        DeviceAttr.Extended known = capabilities;
        if (known == null) {
            try {
                known = askDevice();
            } catch (ErrnoException e) {
                String question = "cannot query whether " + device.name() + " supports " + capability + ": ";
                throw new UnsupportedOperationException(question + e.getMessage(), e);
            }
            capabilities = known;
        }
        if (!known.has(capability)) {
            throw new UnsupportedOperationException(device.name() + " does not support " + capability
                    + " with this kernel: see DeviceContext.queryDeviceEx().capabilities()");
        }
    }

    /** Returns the maximum message length of port 1 in bytes, queried once. */
    long maxMessageLength() throws RdmaException {
        PortAttr known = port;
        if (known == null) {
            known = control.queryPort(FIRST_PORT);
            port = known;
        }
        return Integer.toUnsignedLong(known.maxMsgSz());
    }

    /**
     * Returns the MTU of port 1 in bytes, the maximum length of one packet. Queried each time, because it may change.
     */
    long packetLength() throws RdmaException {
        PathMtu mtu = control.queryPort(FIRST_PORT).activeMtu();
        return (mtu == PathMtu.UNKNOWN ? PathMtu.MTU_4096 : mtu).bytes(); // an unknown number is a newer, larger MTU
    }

    /**
     * Returns a number by which the kernel can identify an object. It is never reused, so a late event finds no object.
     */
    long newCookie() {
        return cookies.incrementAndGet();
    }

    void remember(long cookie, VerbsObject queue) {
        queues.put(new Cookie(cookie), queue);
    }

    @Nullable
    CompletionQueue recall(Cookie cookie) {
        return queues.get(cookie) instanceof CompletionQueue cq ? cq : null;
    }

    void forget(long cookie) {
        queues.remove(new Cookie(cookie));
    }

    @Override
    void destroy() throws RdmaException {
        FirstFailure failure = new FirstFailure();
        failure.attempt(driver::close);
        failure.attempt(files::close);
        failure.throwIfAny();
    }

    @Override
    public String toString() {
        return "DeviceContext[" + device.name() + "]";
    }
}
