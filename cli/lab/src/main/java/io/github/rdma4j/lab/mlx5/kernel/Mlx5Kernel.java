// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.mlx5.kernel;

import io.github.rdma4j.internal.syscall.LinuxKernel;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.lab.mlx5.card.Card;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * A kernel in memory with one ConnectX, {@code mlx5_0}, in software: {@link #kernel()} is what programs open the device on, and
 * {@link #card()} is the device, which does nothing unless it is made to step.
 *
 * <p>Safe for use by several threads.
 */
public final class Mlx5Kernel {
    /** The name of the device. */
    public static final String DEVICE = Hca.NAME;

    /** The IPv4 address of the port. */
    public static final String IPV4 = "10.77.0.1";

    /** The IPv6 address of the port. */
    public static final String IPV6 = "fd77::1";

    /** The index of {@link #IPV4} as a GID of RoCE v2. */
    public static final int IPV4_GID = 3;

    private final KernelCalls calls;
    private final Kernel kernel;

    private static final class Folder {
        static final Path SYSFS = SysfsTree.make(Hca.portGids());
    }

    /** A kernel as it comes. */
    public Mlx5Kernel() {
        this(new Mlx5Settings());
    }

    public Mlx5Kernel(Mlx5Settings settings) {
        calls = new KernelCalls(settings);
        kernel = new LinuxKernel(calls, Folder.SYSFS, Path.of("/dev"));
    }

    public Kernel kernel() {
        return kernel;
    }

    public Card card() {
        return calls.hca().card();
    }

    // ---- faults

    /** Refuses the next command of that kind that is not refused yet; the command has no effect. */
    public void failNext(Mlx5Command command, Errno errno) {
        run(() -> calls.hca().refuse(command, errno));
    }

    /** Takes the device away: commands fail with EIO, doorbells go nowhere, DEVICE_FATAL comes. */
    public void removeDevice() {
        run(() -> calls.hca().remove());
    }

    /** The device stops working for good and says so by DEVICE_FATAL; commands still work. */
    public void failDevice() {
        run(() -> calls.hca().fail());
    }

    /** Lets the process open {@code more} descriptors only; {@link Integer#MAX_VALUE} ends that. */
    public void limitDescriptors(int more) {
        run(() -> calls.limitFiles(more));
    }

    /** The thread that gives the next command by ioctl runs {@code action} when the command has been carried out, before it returns. */
    public void afterNextCommand(Runnable action) {
        calls.afterIoctl(action);
    }

    /** A descriptor, for the process to own, of a new dma-buf with the bytes of {@code memory}, a direct buffer. */
    public int makeDmaBuf(ByteBuffer memory) {
        return locked(() -> calls.addDmaBuf(memory));
    }

    private void run(Runnable action) {
        locked(() -> {
            action.run();
            return true;
        });
    }

    private <T> T locked(Supplier<T> action) {
        return calls.locked(action);
    }

    // ---- what is there

    /** The number of open descriptors, without eventfds, which rdma4j keeps to wait again. */
    public int descriptors() {
        return locked(calls::openFiles);
    }

    /** The numbers of all open descriptors. */
    public Set<Integer> descriptorNumbers() {
        return locked(calls::numbers);
    }

    /** The kinds of the objects that exist, sorted: {@code pd}, {@code cq}, {@code qp}, {@code uar} and so on. */
    public List<String> objects() {
        return locked(() -> calls.hca().objects());
    }

    /** The number of pages that are pinned for the device. */
    public int lockedPages() {
        return locked(() -> calls.hca().memory().locked());
    }

    /** The number of mappings that are neither retired nor unmapped. */
    public int liveMappings() {
        return locked(() -> calls.hca().memory().live());
    }

    /** What the process did wrong towards kernel or device. */
    public List<String> complaints() {
        return card().complaints();
    }

    /** Fails when a descriptor, an object or a pinned page is left, or when there is a complaint. */
    public void assertClean() {
        if (descriptors() > 0
                || !objects().isEmpty()
                || lockedPages() > 0
                || !complaints().isEmpty()) {
            throw new AssertionError("left: " + descriptors() + " descriptors, objects " + objects() + ", "
                    + lockedPages() + " pinned pages; complaints: " + complaints() + "; " + card());
        }
    }
}
