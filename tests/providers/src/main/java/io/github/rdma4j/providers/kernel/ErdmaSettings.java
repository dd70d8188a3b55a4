// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.kernel;

/** What kind of kernel and device an {@link ErdmaKernel} has. As it comes: each queue pair has a doorbell of its own. */
public final class ErdmaSettings extends CardSettings<ErdmaSettings> {
    private static final int ENTRY = 5;

    /** The place of the doorbell of all sends of a context, in units of 256 bytes; -1 if each queue pair has a place. */
    int sendEntry = -1;

    /** A kernel as it comes. */
    public ErdmaSettings() {
        super(new ErdmaModel());
    }

    @Override
    ErdmaSettings self() {
        return this;
    }

    @Override
    public ErdmaKernel start() {
        return new ErdmaKernel(this);
    }

    @Override
    ErdmaModel model() {
        return (ErdmaModel) super.model();
    }

    /** A device that runs RoCE. */
    public ErdmaSettings roce() {
        model().iwarp = false;
        return this;
    }

    /** All queue pairs of a context have the same doorbell. */
    public ErdmaSettings withOneDoorbell() {
        sendEntry = ENTRY;
        return this;
    }

    @Override
    public String toString() {
        return (sendEntry < 0 ? "a doorbell each" : "one doorbell") + ", " + timing;
    }
}
