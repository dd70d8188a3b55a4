// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testkit.model;

import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.internal.fd.LinuxKernel;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.testkit.model.ModelCommand.Pause;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A kernel in memory with a connection manager and one soft-RoCE device. It lets tests run programs that connect
 * through rdma4j on any machine, with every error and order of events that a test needs.
 *
 * <pre>{@code
 * ModelRdmaCm model = new ModelRdmaCm();
 * try (EventChannel channel = EventChannel.open(model.kernel());
 *         CmId listener = channel.createId(PortSpace.TCP)) {
 *     listener.bind(new InetSocketAddress(model.address(), 4711));
 *     listener.listen(8);
 *     model.failNext(ModelCommand.ACCEPT, Errno.ENOMEM);
 *     ...
 * }
 * model.assertNothingLeft();
 * }</pre>
 *
 * <p>The ids of the model connect to each other, on one event channel or on several: bind and connect to {@link
 * #address()}. A command takes effect at once, and its events are available when the command returns, unless they are
 * {@linkplain #holdEvents held}. The tests of rdma4j run the same scenarios on the model and on Linux 6.1, the kernel
 * of the testbed. Queue pairs can be created, modified and destroyed but carry no data: a posted request never
 * completes.
 *
 * <p>The model has no multicast groups, no InfiniBand addresses and no timeouts of the kernel: a request without an
 * answer waits forever. Safe for use by several threads.
 */
public final class ModelRdmaCm {
    private final Faults faults = new Faults();
    private final ModelCalls calls = new ModelCalls(faults);
    private final Kernel kernel = new LinuxKernel(calls, Path.of("/sys/of/the/model"), Path.of("/dev"));

    /** Creates a kernel with one device and no ids. */
    public ModelRdmaCm() {}

    /** Returns the kernel on which to open event channels and devices. */
    public Kernel kernel() {
        return kernel;
    }

    /**
     * Returns the IPv4 address of the device. Other addresses of its network have no host; other networks have no
     * route.
     */
    public InetAddress address() {
        return ModelDevice.IPV4;
    }

    /** Returns the IPv6 address of the device. */
    public InetAddress ipv6Address() {
        return ModelDevice.IPV6;
    }

    // ---- faults

    /**
     * Makes the next command of this type fail with {@code errno}. Repeated calls apply to successive commands. The
     * failed command has no effect, except that LISTEN binds an id without an address, as in Linux.
     */
    public void failNext(ModelCommand command, Errno errno) {
        faults.refuse(command, errno);
    }

    /** Pauses the next command of this type in the kernel, before it has an effect, until the test lets it continue. */
    public Pause pauseNext(ModelCommand command) {
        return faults.pause(command);
    }

    /** Holds back all events from now on. The operations that the events report still take effect. */
    public void holdEvents() {
        calls.run(() -> calls.cm().messages().hold());
    }

    /** Delivers the held events in their original order, and delivers all later events at once. */
    public void releaseEvents() {
        release(false);
    }

    /** Delivers the held events like {@link #releaseEvents}, but with the newest event first. */
    public void releaseEventsNewestFirst() {
        release(true);
    }

    private void release(boolean newestFirst) {
        calls.run(() -> calls.cm().messages().release(newestFirst));
    }

    /**
     * Appends an event to the events of an id, without any effect on the id. Use this for events whose cause is outside
     * the model, such as ADDR_CHANGE or UNREACHABLE.
     *
     * @param status a negated error number, or a reason, as the kernel reports it
     * @throws IllegalArgumentException if no id of the model has the addresses of {@code id}
     */
    public void addEvent(CmId id, CmEventType type, int status) {
        calls.run(() -> calls.cm().messages().tell(ModelEvent.of(find(id), type, status)));
    }

    private ModelId find(CmId id) {
        @Nullable InetSocketAddress local = id.localAddress().orElse(null);
        @Nullable InetSocketAddress peer = id.peerAddress().orElse(null);
        return calls.cm().ids().all().stream()
                .filter(known -> Objects.equals(known.local, local) && Objects.equals(known.peer, peer))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("the model has no id with the addresses of " + id));
    }

    /**
     * Drops the next confirmation (RTU), which the active side sends after the peer accepts: the connection is then
     * established on the active side, while the passive side still waits. If the passive side closes its id in this
     * state, the active side gets REJECTED, as on a real network when a peer closes before the confirmation arrives.
     */
    public void loseNextConfirmation() {
        calls.run(() -> calls.cm().messages().loseNextConfirmation());
    }

    /**
     * Removes the device. Its ids get DEVICE_REMOVAL and can no longer be used. As with soft-RoCE, verbs objects of the
     * device can still be destroyed.
     */
    public void removeDevice() {
        calls.run(() -> calls.cm().removeDevice());
    }

    /** Lets the process open {@code more} further descriptors; opening more than that fails with EMFILE. */
    public void limitDescriptors(int more) {
        calls.limitDescriptors(more);
    }

    /** Removes the limit of {@link #limitDescriptors}. */
    public void unlimitDescriptors() {
        calls.limitDescriptors(Integer.MAX_VALUE);
    }

    // ---- state

    /**
     * Returns the number of CM ids in the kernel, including those of connect requests that the program has not fetched.
     */
    public int ids() {
        return calls.locked(() -> calls.cm().ids().all().size());
    }

    /**
     * Returns the number of open device descriptors. Eventfds do not count, because rdma4j keeps them for later waits.
     */
    public int descriptors() {
        return calls.openFiles();
    }

    /**
     * Returns the kinds of the existing verbs objects, {@code pd}, {@code cq}, {@code qp}, {@code mr} and so on,
     * sorted.
     */
    public List<String> verbsObjects() {
        return calls.locked(() -> calls.device().objects().kinds());
    }

    /**
     * Throws {@link AssertionError} if an id, a descriptor or a verbs object is left, or if a command used an object
     * that did not exist.
     */
    public void assertNothingLeft() {
        List<String> breaches = calls.locked(() -> calls.device().objects().breaches());
        if (ids() > 0 || descriptors() > 0 || !verbsObjects().isEmpty() || !breaches.isEmpty()) {
            throw new AssertionError("left: " + ids() + " ids, " + descriptors() + " descriptors, verbs objects "
                    + verbsObjects() + "; wrong: " + breaches);
        }
    }

    /** Throws {@link AssertionError} if an error of {@link #failNext} was not used by a command. */
    public void assertFaultsUsed() {
        if (faults.isUnused()) {
            throw new AssertionError("the program did not make a command that failNext was called for");
        }
    }
}
