// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.kernel;

import io.github.rdma4j.internal.uverbs.DeviceAttrBytes;
import io.github.rdma4j.providers.bnxt.BnxtMode;
import io.github.rdma4j.providers.bnxt.WatchedBnxtProvider;
import java.nio.ByteBuffer;

/** What kind of kernel and device a {@link CardKernel} has. As it comes: BCM57608. */
public final class BnxtSettings extends CardSettings<BnxtSettings> {
    /** Whether the device finds the doorbells of Java. */
    boolean watched = true;

    /** What the device is like. */
    BnxtMode mode = BnxtMode.P7;

    /** The device writes an entry that says that a queue pair has failed. */
    boolean terminates = true;

    /** A kernel as it comes. */
    public BnxtSettings() {
        super(DriverModel.BNXT);
    }

    /** BCM57414, with a kernel that makes rings of powers of two. */
    public BnxtSettings p4() {
        return of(BnxtMode.P4);
    }

    /** BCM57508. */
    public BnxtSettings p5() {
        return of(BnxtMode.P5);
    }

    private BnxtSettings of(BnxtMode device) {
        mode = device;
        return this;
    }

    /** A device that writes no entry for what is flushed, and none that says so. */
    public BnxtSettings withoutTermination() {
        terminates = false;
        return this;
    }

    /** A device that does not find the doorbells of Java, whose provider has nothing to do beside. */
    public BnxtSettings unwatched() {
        watched = false;
        return this;
    }

    @Override
    int driverId() {
        return watched ? WatchedBnxtProvider.ID : super.driverId();
    }

    @Override
    boolean isCalled(int id) {
        return id == driverId() || super.isCalled(id);
    }

    @Override
    void describe(ByteBuffer reply) {
        super.describe(reply);
        reply.putInt(DeviceAttrBytes.VENDOR_PART_ID, mode.chip())
                .putInt(DeviceAttrBytes.MAX_SGE, mode.pieces())
                .putInt(DeviceAttrBytes.MAX_SGE_RD, mode.pieces());
    }

    @Override
    UserContext open(Hca hca, UverbsFile file, ByteBuffer request) throws Refusal {
        return new BnxtUserContext(hca, file, request, this);
    }

    @Override
    public String toString() {
        return mode.name() + ", " + timing;
    }
}
