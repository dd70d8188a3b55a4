// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testkit.model;

import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.internal.syscall.LinuxKernel;
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
 * A kernel in memory, with a connection manager and one soft-RoCE device: to test programs that connect by rdma4j on any
 * machine, with every error and order of events that the test wants.
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
 * <p>The ids of the model connect to each other, on one event channel or on several: bind to {@link #address()} and connect
 * there. A command has its effect at once, and the events that follow are there when the command returns, unless they are
 * {@linkplain #holdEvents held}. The tests of rdma4j run the same scenarios on the model and on Linux (6.1, the kernel of
 * the testbed). Queue pairs can be created, modified and destroyed, but carry no data: a posted request never completes.
 *
 * <p>Not in the model: multicast groups, InfiniBand addresses, private time-outs of the kernel (a request that nobody
 * answers stays unanswered). Safe for use by several threads.
 */
public final class ModelRdmaCm {
    private final Faults faults = new Faults();
    private final ModelCalls calls = new ModelCalls(faults);
    private final Kernel kernel = new LinuxKernel(calls, Path.of("/sys/of/the/model"), Path.of("/dev"));

    /** Creates a kernel with a device, without ids. */
    public ModelRdmaCm() {}

    /** The kernel to open event channels and devices on. */
    public Kernel kernel() {
        return kernel;
    }

    /** The IPv4 address of the device. Another address of its network has no host behind it; all others have no route. */
    public InetAddress address() {
        return ModelDevice.IPV4;
    }

    /** The IPv6 address of the device. */
    public InetAddress ipv6Address() {
        return ModelDevice.IPV6;
    }

    // ---- faults

    /**
     * Refuses the next command of that kind that is not refused yet; the command has no effect, except that LISTEN binds an id that has
     * no address, as in the kernel.
     */
    public void failNext(ModelCommand command, Errno errno) {
        faults.refuse(command, errno);
    }

    /** Keeps the next command of that kind in the kernel, without effect, until the test lets it go on. */
    public Pause pauseNext(ModelCommand command) {
        return faults.pause(command);
    }

    /** Holds back all events from now on. The operations that the events report still take effect. */
    public void holdEvents() {
        calls.run(() -> calls.cm().messages().hold());
    }

    /** Delivers the events that were held back, in their original order, and delivers all later events at once. */
    public void releaseEvents() {
        letGo(false);
    }

    /** As {@link #releaseEvents}, with the newest event first. */
    public void releaseEventsNewestFirst() {
        letGo(true);
    }

    private void letGo(boolean newestFirst) {
        calls.run(() -> calls.cm().messages().letGo(newestFirst));
    }

    /**
     * Puts an event behind the events of an id, which knows nothing of what the event tells. Use for events that have their
     * cause outside of the model, such as ADDR_CHANGE or UNREACHABLE.
     *
     * @param status minus an error number, or a reason, as the kernel tells it
     * @throws IllegalArgumentException when the model has no id with the addresses of {@code id}
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
                .orElseThrow(() -> new IllegalArgumentException("the model has no id like " + id));
    }

    /**
     * Has the next confirmation of a connection, which the active side sends when the peer has accepted, not arrive: the
     * active side has an established connection, and the passive side still waits. When the passive side closes its id now,
     * the active side gets REJECTED, as on a real network when a peer closes before the confirmation arrives.
     */
    public void loseNextConfirmation() {
        calls.run(() -> calls.cm().messages().loseNextConfirmation());
    }

    /**
     * Unplugs the device: its ids get DEVICE_REMOVAL, and cannot be used any more. As with soft-RoCE, what was made on the
     * device can still be destroyed.
     */
    public void removeDevice() {
        calls.run(() -> calls.cm().removeDevice());
    }

    /** Lets the process open {@code more} descriptors, and refuses further descriptors with EMFILE. */
    public void limitDescriptors(int more) {
        calls.limitDescriptors(more);
    }

    /** Ends {@link #limitDescriptors}. */
    public void unlimitDescriptors() {
        calls.limitDescriptors(Integer.MAX_VALUE);
    }

    // ---- what is there

    /** The number of CM ids in the kernel, including ids of requests that the program has not fetched. */
    public int ids() {
        return calls.locked(() -> calls.cm().ids().all().size());
    }

    /** The number of open descriptors of devices; without eventfds, which rdma4j keeps to wait again. */
    public int descriptors() {
        return calls.openFiles();
    }

    /** The kinds of the verbs objects that exist: {@code pd}, {@code cq}, {@code qp}, {@code mr} and so on, sorted. */
    public List<String> verbsObjects() {
        return calls.locked(() -> calls.device().objects().kinds());
    }

    /** Fails when an id, a descriptor or a verbs object is left, or when a command named an object that was not there. */
    public void assertNothingLeft() {
        List<String> breaches = calls.locked(() -> calls.device().objects().breaches());
        if (ids() > 0 || descriptors() > 0 || !verbsObjects().isEmpty() || !breaches.isEmpty()) {
            throw new AssertionError("left: " + ids() + " ids, " + descriptors() + " descriptors, verbs objects "
                    + verbsObjects() + "; wrong: " + breaches);
        }
    }

    /** Fails when an error of {@link #failNext} has met no command. */
    public void assertFaultsUsed() {
        if (faults.isUnused()) {
            throw new AssertionError("an error was ordered for a command that did not come");
        }
    }
}
