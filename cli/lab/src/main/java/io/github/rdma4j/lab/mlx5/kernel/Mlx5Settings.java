// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.mlx5.kernel;

import io.github.rdma4j.lab.mlx5.card.Timing;
import org.jspecify.annotations.Nullable;

/** What kind of kernel, driver and device an {@link Mlx5Kernel} has. As it comes: a RoCE port, and all that Linux 6.1 offers. */
public final class Mlx5Settings {
    private Timing timing = Timing.prompt();
    private boolean dynamicUars = true;
    private boolean writeCombining = true;
    private boolean atomics = true;
    private boolean xrc = true;
    private boolean destinationMac = true;
    private boolean numbersAgain;
    private int uars = 512;
    private int cqeVersion = 1;
    private int driverAbi = 1;
    private int contextReplyBytes = 72;
    private int maxSendBlocks = 1 << 15;
    private long lockedBytes = Long.MAX_VALUE;
    private @Nullable SharedPages shared;

    /** The pace of the device. */
    public Mlx5Settings timing(Timing value) {
        timing = value;
        return this;
    }

    /** A kernel before 5.7: doorbell pages are there from the start, and are mapped by number. */
    public Mlx5Settings withoutDynamicUars() {
        dynamicUars = false;
        return this;
    }

    /** A system that has no write combining, such as some virtual machines. */
    public Mlx5Settings withoutWriteCombining() {
        writeCombining = false;
        return this;
    }

    /** A device without atomic operations. */
    public Mlx5Settings withoutAtomics() {
        atomics = false;
        return this;
    }

    /** A device without XRC. */
    public Mlx5Settings withoutXrc() {
        xrc = false;
        return this;
    }

    /** A kernel before 4.10, which does not look up hardware addresses. */
    public Mlx5Settings withoutDestinationMac() {
        destinationMac = false;
        return this;
    }

    /** A device that gives the number of a queue pair that is gone to the next object. */
    public Mlx5Settings withNumbersAgain() {
        numbersAgain = true;
        return this;
    }

    /** How many doorbell pages the device has. */
    public Mlx5Settings uars(int pages) {
        uars = pages;
        return this;
    }

    /** The version of the completions that the device has at most. */
    public Mlx5Settings cqeVersion(int version) {
        cqeVersion = version;
        return this;
    }

    /** The ABI of the driver that the device reports. */
    public Mlx5Settings driverAbi(int abi) {
        driverAbi = abi;
        return this;
    }

    /** The size of GET_CONTEXT's reply as this driver knows it; 72 is today's. */
    public Mlx5Settings contextReplyBytes(int bytes) {
        contextReplyBytes = bytes;
        return this;
    }

    /** The largest send ring in blocks of 64 bytes. */
    public Mlx5Settings maxSendBlocks(int blocks) {
        maxSendBlocks = blocks;
        return this;
    }

    /** The soft limit of RLIMIT_MEMLOCK. */
    public Mlx5Settings lockedBytes(long limit) {
        lockedBytes = limit;
        return this;
    }

    /** Another process uses the kernel as well, and has its mappings at the same addresses. */
    public Mlx5Settings sharing(SharedPages pages) {
        shared = pages;
        return this;
    }

    Timing timing() {
        return timing;
    }

    boolean hasDynamicUars() {
        return dynamicUars;
    }

    boolean hasWriteCombining() {
        return writeCombining;
    }

    boolean hasAtomics() {
        return atomics;
    }

    boolean givesNumbersAgain() {
        return numbersAgain;
    }

    boolean hasXrc() {
        return xrc;
    }

    boolean tellsDestinationMac() {
        return destinationMac;
    }

    int uars() {
        return uars;
    }

    int cqeVersion() {
        return cqeVersion;
    }

    int driverAbi() {
        return driverAbi;
    }

    int contextReplyBytes() {
        return contextReplyBytes;
    }

    int maxSendBlocks() {
        return maxSendBlocks;
    }

    long lockedBytes() {
        return lockedBytes;
    }

    @Nullable
    SharedPages shared() {
        return shared;
    }
}
