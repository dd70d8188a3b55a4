// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ioctl;

import static io.github.rdma4j.internal.uverbs.UverbsAttributes.UVERBS_ATTR_WRITE_CMD;
import static io.github.rdma4j.internal.uverbs.UverbsMethods.UVERBS_METHOD_INVOKE_WRITE;
import static io.github.rdma4j.internal.uverbs.UverbsObjects.UVERBS_OBJECT_DEVICE;
import static io.github.rdma4j.internal.uverbs.WriteCommands.IB_USER_VERBS_CMD_QUERY_DEVICE;

import io.github.rdma4j.internal.uverbs.DriverIds;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.KernelFd;

/** Finds out which transport an open uverbs device speaks. */
public final class ControlPaths {
    /** Set to {@code write} to keep to write(2) on a kernel that has the ioctl, for comparison and fault finding. */
    public static final String TRANSPORT_PROPERTY = "io.github.rdma4j.uverbs";

    private static final int LAST_DRIVER_ID = 31;

    private ControlPaths() {}

    /**
     * The best transport of {@code device}.
     *
     * @param driverId the driver's id from netlink, {@link DriverIds#RDMA_DRIVER_UNKNOWN} to find it by trying
     */
    public static ControlPath choose(KernelFd device, int driverId) throws ErrnoException {
        if (System.getProperty(TRANSPORT_PROPERTY, "ioctl").equals("write")) {
            return new WriteControlPath(device);
        }
        if (driverId != DriverIds.RDMA_DRIVER_UNKNOWN) {
            return probe(device, driverId) == Probe.IOCTL
                    ? new IoctlControlPath(device, driverId)
                    : new WriteControlPath(device);
        }
        for (int candidate = 0; candidate <= LAST_DRIVER_ID; candidate++) {
            Probe found = probe(device, candidate);
            if (found == Probe.IOCTL) {
                return new IoctlControlPath(device, candidate);
            }
            if (found == Probe.NO_IOCTL) {
                break;
            }
        }
        return new WriteControlPath(device);
    }

    private enum Probe {
        IOCTL,
        NO_IOCTL,
        OTHER_DRIVER
    }

    /** A command without its memory: ENOSPC says that all went well up to there, the rest says why not. */
    private static Probe probe(KernelFd device, int driverId) throws ErrnoException {
        try (IoctlCommand probe = new IoctlCommand(UVERBS_OBJECT_DEVICE, UVERBS_METHOD_INVOKE_WRITE, driverId)) {
            probe.constant(UVERBS_ATTR_WRITE_CMD, IB_USER_VERBS_CMD_QUERY_DEVICE);
            Errno errno = Errno.ofResult(probe.send(device));
            if (errno.equals(Errno.ENOSPC)) {
                return Probe.IOCTL;
            }
            if (errno.equals(Errno.ENOTTY) || errno.equals(Errno.EPROTONOSUPPORT)) {
                return Probe.NO_IOCTL;
            }
            if (errno.equals(Errno.EINVAL)) {
                return Probe.OTHER_DRIVER;
            }
            throw new ErrnoException("RDMA_VERBS_IOCTL probe of " + device.name(), errno);
        }
    }
}
