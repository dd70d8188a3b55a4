// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.providers.kernel;

import io.github.rdma4j.lab.providers.card.Timing;

/** What kind of kernel and device an {@link ErdmaKernel} has. As it comes: each queue pair has a doorbell of its own. */
public final class ErdmaSettings extends CardSettings {
    private static final int ENTRY = 5;

    /** The place of the doorbell of all sends of a context, in units of 256 bytes; -1 if each queue pair has a place. */
    int sendEntry = -1;

    /** A kernel as it comes. */
    public ErdmaSettings() {
        super(new ErdmaModel());
    }

    @Override
    public ErdmaKernel start() {
        return new ErdmaKernel(this);
    }

    /** The pace of the device. */
    public ErdmaSettings timing(Timing value) {
        timing = value;
        return this;
    }

    /** All queue pairs of a context have the same doorbell. */
    public ErdmaSettings withOneDoorbell() {
        sendEntry = ENTRY;
        return this;
    }

    /** The soft limit of RLIMIT_MEMLOCK. */
    public ErdmaSettings lockedBytes(long limit) {
        lockedBytes = limit;
        return this;
    }

    /** A device that gives the number of a queue pair that is gone to the next object. */
    public ErdmaSettings withNumbersAgain() {
        numbersAgain = true;
        return this;
    }

    /** The ABI of the driver that the device reports. */
    public ErdmaSettings driverAbi(int abi) {
        driverAbi = abi;
        return this;
    }

    @Override
    public ErdmaSettings sharing(SharedPages pages) {
        super.sharing(pages);
        return this;
    }

    @Override
    public String toString() {
        return (sendEntry < 0 ? "a doorbell each" : "one doorbell") + ", " + timing;
    }
}
