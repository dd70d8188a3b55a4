// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.kernel;

import io.github.rdma4j.internal.uverbs.DeviceAttrBytes;
import io.github.rdma4j.providers.bnxt.WatchedBnxtProvider;
import java.nio.ByteBuffer;

/** What kind of kernel and device a {@link CardKernel} has. As it comes: BCM57608. */
public final class BnxtSettings extends CardSettings<BnxtSettings> {
    private static final int P4_CHIP = 0x16d7;
    private static final int P5_CHIP = 0x1750;
    private static final int P7_CHIP = 0x1760;

    static final int MOST_FIXED_PIECES = 6;
    private static final int MOST_PIECES = 13;

    /** Whether the device finds the doorbells of Java. */
    boolean watched = true;

    int chip = P7_CHIP;

    /** Elements have as many slots as they need. */
    boolean variable = true;

    /** Rings have any size. */
    boolean exact = true;

    /** The device writes an entry that says that a queue pair has failed. */
    boolean terminates = true;

    /** A kernel as it comes. */
    public BnxtSettings() {
        super(DriverModel.BNXT);
    }

    /** BCM57414, with a kernel that makes rings of powers of two. */
    public BnxtSettings p4() {
        return of(P4_CHIP, false, false);
    }

    /** BCM57508. */
    public BnxtSettings p5() {
        return of(P5_CHIP, false, true);
    }

    /** BCM57608 with a kernel that gives all elements the same length. */
    public BnxtSettings p7WithFixedElements() {
        return of(P7_CHIP, false, false);
    }

    private BnxtSettings of(int number, boolean variableElements, boolean anySize) {
        chip = number;
        variable = variableElements;
        exact = anySize;
        return this;
    }

    /** Whether there is a table of packets, and pages that count events. */
    boolean isP7() {
        return chip == P7_CHIP;
    }

    int packetBytes() {
        return chip == P5_CHIP ? 16 : 8;
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

    /** The most pieces of a request. */
    int pieces() {
        return variable ? MOST_PIECES : MOST_FIXED_PIECES;
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
        reply.putInt(DeviceAttrBytes.VENDOR_PART_ID, chip)
                .putInt(DeviceAttrBytes.MAX_SGE, pieces())
                .putInt(DeviceAttrBytes.MAX_SGE_RD, pieces());
    }

    @Override
    UserContext open(Hca hca, UverbsFile file, ByteBuffer request) throws Refusal {
        return new BnxtUserContext(hca, file, request, this);
    }

    @Override
    public String toString() {
        String generation = isP7() ? "P7" : chip == P5_CHIP ? "P5" : "P4";
        return generation + (isP7() && !variable ? " with fixed elements, " : ", ") + timing;
    }
}
