// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.irdma;

import io.github.rdma4j.providers.script.Driver;
import io.github.rdma4j.providers.script.Libraries;
import io.github.rdma4j.providers.script.Mode;
import io.github.rdma4j.providers.script.PlayedDriver;
import io.github.rdma4j.providers.script.RandomVerbs;
import io.github.rdma4j.verbs.attr.QpCap;
import java.io.IOException;
import java.util.List;

/**
 * A device of Intel's.
 *
 * @param name what the file of its vectors is called
 * @param generation the generation of the device; 0 with the driver before irdma
 * @param kernelSends elements that the kernel sends before those of the program, over iWARP
 * @param fewest the fewest elements of a ring, as newer kernels say, which compute the sizes of rings from the capacities that
 *     programs name; 0 for older kernels
 */
public record IrdmaMode(String name, int generation, int kernelSends, int fewest) implements Mode {
    /** E810 over RoCE; completion queues change their size. */
    public static final IrdmaMode ROCE = new IrdmaMode("roce", 2, 0, 0);

    /** E810 over iWARP; the kernel sends the first three elements. */
    public static final IrdmaMode IWARP = new IrdmaMode("iwarp", 2, 3, 0);

    /** X722, whose elements have another form. */
    public static final IrdmaMode X722 = new IrdmaMode("x722", 1, 1, 0);

    /** X722 with the driver before irdma. */
    public static final IrdmaMode I40IW = new IrdmaMode("i40iw", 0, 1, 0);

    /** E810 over RoCE with a newer kernel and library. */
    public static final IrdmaMode ROCE_NEWER = new IrdmaMode("roce_newer", 2, 0, 8);

    /** The third generation, over RoCE. */
    public static final IrdmaMode GEN3 = new IrdmaMode("gen3", 3, 0, 16);

    /** The driver of Intel's RDMA devices. */
    public static final Driver DRIVER = new Driver(
            "irdma",
            new Driver.Identity("irdma_0", "1: CA", "pci:v00008086d00001592sv00008086sd00000002bc02sc00i00", 5),
            ROCE,
            IWARP,
            X722,
            I40IW,
            ROCE_NEWER,
            GEN3);

    private static final int SEND_RESERVE = 258;
    private static final int RECEIVE_RESERVE = 1;

    @Override
    public Driver driver() {
        return DRIVER;
    }

    @Override
    public List<String> arguments() {
        return List.of(name);
    }

    boolean isIwarp() {
        return kernelSends > 0;
    }

    /** The form of elements and completions of E810. */
    boolean hasNewFormat() {
        return generation >= 2;
    }

    /** A kernel that computes the sizes of rings, and the library that knows such kernels. */
    boolean isNewer() {
        return fewest > 0;
    }

    /** Completions of 64 bytes, atomic operations and shared receive queues. */
    boolean isThird() {
        return generation == 3;
    }

    int pieces() {
        return isThird() ? 14 : hasNewFormat() ? 13 : 3;
    }

    int inline() {
        return isThird() ? 216 : hasNewFormat() ? 101 : 48;
    }

    /** A send has two to the power of this number of quanta. */
    int sendShift(QpCap cap) {
        int inline = cap.maxInline();
        if (!hasNewFormat()) {
            return cap.maxSendSge() <= 1 && inline <= 16 ? 0 : 1;
        }
        return Math.max(shift(cap.maxSendSge() + 1), inline <= 8 ? 0 : inline <= 39 ? 1 : inline <= 101 ? 2 : 3);
    }

    int receiveShift(QpCap cap) {
        return hasNewFormat() ? shift(cap.maxReceiveSge()) : 2;
    }

    static int shift(int pieces) {
        return pieces <= 1 ? 0 : pieces < 4 ? 1 : pieces < 8 ? 2 : 3;
    }

    /** The elements of a send ring, which the process asks older kernels for. */
    int sends(QpCap cap) {
        return isNewer() ? elements(cap.maxSendWr(), sendShift(cap), SEND_RESERVE) : cap.maxSendWr();
    }

    int receives(QpCap cap) {
        return isNewer() ? elements(cap.maxReceiveWr(), receiveShift(cap), RECEIVE_RESERVE) : cap.maxReceiveWr();
    }

    private int elements(int requests, int shift, int reserve) {
        int quanta = (requests << shift) + reserve;
        return Math.max(fewest, Integer.highestOneBit(2 * quanta - 1) >> shift);
    }

    /** The elements of a shared receive ring. */
    int shared(int receives, int pieces) {
        return elements(receives, shift(pieces), RECEIVE_RESERVE);
    }

    @Override
    public Libraries libraries() throws IOException, InterruptedException {
        return isNewer() ? Libraries.ofRdmaCore65("irdma") : Libraries.INSTALLED;
    }

    /** Debian 12 and 13 have no library that knows generation 3. */
    @Override
    public boolean hasMovingLibraries() {
        return isNewer();
    }

    @Override
    public PlayedDriver open() {
        return new PlayedIrdma(this);
    }

    @Override
    public RandomVerbs verbs() {
        return new IrdmaVerbs(this);
    }

    @Override
    public String toString() {
        return name;
    }
}
