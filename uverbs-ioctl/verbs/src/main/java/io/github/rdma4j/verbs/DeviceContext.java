// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.discovery.Discovery;
import io.github.rdma4j.internal.ioctl.ControlPath;
import io.github.rdma4j.internal.memory.CommandArena;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.Creation;
import io.github.rdma4j.internal.provider.DriverContext;
import io.github.rdma4j.internal.syscall.FirstFailure;
import io.github.rdma4j.internal.syscall.KernelFd;
import io.github.rdma4j.internal.syscall.LinuxKernel;
import io.github.rdma4j.internal.syscall.NodeAdvice;
import io.github.rdma4j.internal.syscall.Syscalls;
import io.github.rdma4j.internal.sysfs.RdmaPort;
import io.github.rdma4j.internal.uverbs.Events.AsyncEventDesc;
import io.github.rdma4j.internal.uverbs.ExtendedDeviceAttrBytes;
import io.github.rdma4j.internal.verbs.Undo;
import io.github.rdma4j.kernel.Deadline;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.Pollable;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.AsyncEventType;
import io.github.rdma4j.verbs.attr.DeviceAttr;
import io.github.rdma4j.verbs.attr.GidEntry;
import io.github.rdma4j.verbs.attr.PathMtu;
import io.github.rdma4j.verbs.attr.PortAttr;
import io.github.rdma4j.verbs.attr.RdmaDevice;
import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * An open RDMA device ({@code ibv_open_device(3)}): the root of all verbs objects created on the device.
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

    /** Opens the device with a name, such as {@code rxe0}, of the running kernel. */
    public static DeviceContext open(String name) throws RdmaException {
        Kernel kernel = Kernel.running();
        return open(kernel, RdmaDevices.find(kernel, name));
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
        ControlPath.NewContext made = Undo.onFailure(() -> control.getContext(creation), () -> creation.abandon(true));
        KernelFd async = KernelFd.adopt(kernel, made.asyncFd(), "asynchronous events of " + device.name());
        return Undo.onFailure(
                () -> {
                    DriverContext driver =
                            Undo.onFailure(() -> creation.finish(made.driverReply()), () -> creation.abandon(true));
                    return Undo.onFailure(
                            () -> {
                                async.setNonBlocking();
                                return new DeviceContext(
                                        open, new OpenFiles(open, async), made.completionVectors(), driver);
                            },
                            driver::close);
                },
                async::close);
    }

    private static KernelFd openNode(Kernel kernel, RdmaDevice device, String path) throws ErrnoException {
        KernelFd fd;
        try {
            fd = KernelFd.open(kernel, path, Syscalls.O_RDWR);
        } catch (ErrnoException e) {
            throw new ErrnoException(e.operation(), e.errno(), NodeAdvice.forOpen(e.errno(), path, "ib_uverbs"));
        }
        long node = fd.use(LinuxKernel.of(kernel).syscalls()::characterDevice);
        if (node != device.characterDevice()) {
            fd.close();
            throw new ErrnoException(
                    "open " + path,
                    Errno.ENXIO,
                    "The node is not that of " + device.name() + " (another device number): make it anew, or pass the"
                            + " right one into the container");
        }
        return fd;
    }

    /** The device that was opened. */
    public RdmaDevice device() {
        return device;
    }

    /** The number of completion vectors; {@link #createCq} takes a vector below this number. */
    public int completionVectors() {
        return completionVectors;
    }

    /** The limits and capabilities of the device ({@code ibv_query_device(3)}). */
    public DeviceAttr queryDevice() throws RdmaException {
        return whileOpen(control::queryDevice);
    }

    /**
     * The limits and capabilities of the device with what later kernels added ({@code ibv_query_device_ex(3)}), as far as the
     * kernel and the driver tell.
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

    /** State and limits of a port ({@code ibv_query_port(3)}); ports count from 1. */
    public PortAttr queryPort(int portNumber) throws RdmaException {
        return whileOpen(() -> control.queryPort(portNumber));
    }

    /** The populated GIDs of all ports ({@code ibv_query_gid_table(3)}). */
    public List<GidEntry> queryGids() throws RdmaException {
        Optional<List<GidEntry>> table = whileOpen(control::queryGidTable);
        return table.isPresent() ? table.get() : Discovery.gidTable(kernel, device);
    }

    /**
     * The partition keys of a port in the order of their indexes, in the byte order of the machine ({@code
     * ibv_query_pkey(3)}); ports count from 1.
     */
    public List<Integer> queryPkeys(int portNumber) throws RdmaException {
        ensureOpen();
        return RdmaPort.of(kernel, device.name(), portNumber).pkeys();
    }

    /** Creates a protection domain ({@code ibv_alloc_pd(3)}). */
    public ProtectionDomain allocatePd() throws RdmaException {
        return create(
                () -> {
                    Created.Pd created = control.allocPd(driver.protectionDomain());
                    return Undo.onFailure(
                            () -> new ProtectionDomain(this, created), () -> control.deallocPd(created.handle()));
                },
                this);
    }

    /** Creates a completion channel ({@code ibv_create_comp_channel(3)}). */
    public CompletionChannel createCompletionChannel() throws RdmaException {
        return create(
                () -> {
                    int number = control.createCompChannel();
                    KernelFd fd = KernelFd.adopt(kernel, number, "completion channel of " + device.name());
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
     * @param entries the least number of completions that the queue must hold
     * @throws UnsupportedDriverException when there is no provider for the device's driver
     */
    public CompletionQueue createCq(int entries) throws RdmaException {
        return CompletionQueue.create(this, entries, 0, null);
    }

    /**
     * Creates a completion queue that notifies {@code channel} after {@link CompletionQueue#requestNotification}.
     *
     * @param entries the least number of completions that the queue must hold
     * @param vector the completion vector, below {@link #completionVectors()}
     * @throws UnsupportedDriverException when there is no provider for the device's driver
     */
    public CompletionQueue createCq(int entries, int vector, CompletionChannel channel) throws RdmaException {
        return CompletionQueue.create(this, entries, vector, channel);
    }

    /**
     * The source of asynchronous events, to be waited for together with others by {@code ReadinessSet};
     * {@link #awaitAsyncEvent} with no time to wait takes an event then. Belongs to the context, which closes it.
     */
    public Pollable asyncEvents() {
        return files.async();
    }

    /**
     * Has {@code user} closed once, by a thread of the library, when the kernel begins to remove the device, or now when that has
     * begun. A driver that cannot revoke what was made on a device, such as rxe or siw, keeps a removal waiting until every
     * context of the device is closed: {@code context.closeWhenRemoved(context)}. What {@code close} throws goes to the thread's
     * handler of uncaught exceptions.
     *
     * <p>The news comes from the kernel's messages about devices, which do not reach containers with a user namespace of their
     * own, and from {@link AsyncEventType#DEVICE_FATAL} if the program takes it by {@link #awaitAsyncEvent}.
     *
     * @param user such as this context, or what the program keeps on it while it has no connection
     */
    public void closeWhenRemoved(AutoCloseable user) throws RdmaException {
        ensureOpen();
        removal.add(user);
    }

    DeviceRemoval removal() {
        return removal;
    }

    /** Waits for an asynchronous event of the device, its ports or its queues; empty when {@code timeout} has passed. */
    public Optional<AsyncEvent> awaitAsyncEvent(Duration timeout) throws RdmaException, InterruptedException {
        Deadline deadline = Deadline.after(timeout);
        Optional<AsyncEvent> event = nextAsyncEvent();
        while (event.isEmpty() && files.async().awaitReadable(deadline)) {
            event = nextAsyncEvent();
        }
        return event;
    }

    private Optional<AsyncEvent> nextAsyncEvent() throws ErrnoException {
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
            if (found.type() == AsyncEventType.CQ_ERR) {
                found.completionQueue().ifPresent(CompletionQueue::overrun);
            } else if (found.type() == AsyncEventType.DEVICE_FATAL) {
                removal.happened();
            }
            return Optional.of(found);
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

    /** Refuses what the device does not have; the device is asked once, and again after it gave no answer. */
    void require(DeviceAttr.Capability capability) {
        DeviceAttr.Extended known = capabilities;
        if (known == null) {
            try {
                known = askDevice();
            } catch (ErrnoException e) {
                String question = device.name() + " does not say whether it has " + capability + ": ";
                throw new UnsupportedOperationException(question + e.getMessage(), e);
            }
            capabilities = known;
        }
        if (!known.has(capability)) {
            throw new UnsupportedOperationException(device.name() + " does not have " + capability
                    + " with this kernel: see DeviceContext.queryDeviceEx().capabilities()");
        }
    }

    /** The longest message that the first port takes, asked once. */
    long maxMessageLength() throws RdmaException {
        PortAttr known = port;
        if (known == null) {
            known = control.queryPort(FIRST_PORT);
            port = known;
        }
        return Integer.toUnsignedLong(known.maxMsgSz());
    }

    /** What one packet of the first port carries: its MTU, which is asked each time because it may change. */
    long packetLength() throws RdmaException {
        PathMtu mtu = control.queryPort(FIRST_PORT).activeMtu();
        return (mtu == PathMtu.UNKNOWN ? PathMtu.MTU_4096 : mtu).bytes(); // a new number is that of a larger MTU
    }

    /** A number for the kernel to name an object by; never reused, so an event that comes late finds no object. */
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
