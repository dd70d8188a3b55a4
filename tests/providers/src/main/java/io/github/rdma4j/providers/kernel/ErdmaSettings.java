// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.kernel;

import java.nio.ByteBuffer;

/** What kind of kernel and device a {@link CardKernel} has. As it comes: each queue pair has a doorbell of its own. */
public final class ErdmaSettings extends CardSettings<ErdmaSettings> {
    private static final int ENTRY = 5;

    /** The place of the doorbell of all sends of a context, in units of 256 bytes; -1 if each queue pair has a place. */
    int sendEntry = -1;

    /** A kernel as it comes. */
    public ErdmaSettings() {
        super(DriverModel.ERDMA);
        iwarp = true;
    }

    /** A device that runs RoCE. */
    public ErdmaSettings roce() {
        iwarp = false;
        return this;
    }

    /** All queue pairs of a context have the same doorbell. */
    public ErdmaSettings withOneDoorbell() {
        sendEntry = ENTRY;
        return this;
    }

    @Override
    UserContext open(Hca hca, UverbsFile file, ByteBuffer request) throws Refusal {
        return new ErdmaUserContext(hca, file, this);
    }

    @Override
    public String toString() {
        return (sendEntry < 0 ? "a doorbell each" : "one doorbell") + ", " + timing;
    }
}
