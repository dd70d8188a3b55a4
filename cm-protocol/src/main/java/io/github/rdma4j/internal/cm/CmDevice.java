// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.cm;

import static io.github.rdma4j.internal.netlink.NetlinkAbi.RdmaNetlinkConstants.RDMA_NLDEV_ATTR_CHARDEV_TYPE;
import static io.github.rdma4j.internal.netlink.NetlinkAbi.RdmaNetlinkConstants.RDMA_NLDEV_CMD_GET_CHARDEV;

import io.github.rdma4j.internal.discovery.Discovery;
import io.github.rdma4j.internal.discovery.SysfsDevices;
import io.github.rdma4j.internal.discovery.SysfsDevices.CharacterDevice;
import io.github.rdma4j.internal.fd.LinuxKernel;
import io.github.rdma4j.internal.netlink.NetlinkRequest;
import io.github.rdma4j.internal.netlink.RdmaNetlink;
import io.github.rdma4j.internal.sysfs.Sysfs;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.RdmaException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The character device of the connection manager.
 *
 * @param node the path of its node
 * @param characterDevice its device number, as returned by stat(2)
 * @param abi the version of the rdma_cm interface
 */
public record CmDevice(Path node, long characterDevice, int abi) {
    /** The default limit of pending requests of a listener in the kernel (net.rdma_ucm.max_backlog). */
    public static final int MAX_BACKLOG = 1024;

    private static final String NAME = "rdma_cm";

    /** The errors of opening a node without a device. */
    private static final Set<Errno> GONE = Set.of(Errno.ENOENT, Errno.ENXIO, Errno.ENODEV);

    /** The device of the last kernel that was queried. Only tests have several kernels. */
    private static volatile @Nullable Located last;

    private record Located(Kernel kernel, CmDevice device) {}

    /**
     * Locates the device with RDMA netlink, which makes the kernel load rdma_ucm if possible, or with sysfs.
     *
     * @throws ErrnoException ENODEV if the kernel has no connection manager
     */
    public static CmDevice locate(Kernel kernel) throws RdmaException {
        Optional<CharacterDevice> device = askNetlink(kernel);
        if (device.isEmpty()) {
            Path directory = new Sysfs(kernel).path("class", "misc", NAME);
            device = SysfsDevices.characterDevice(directory, NAME);
        }
        if (device.isEmpty()) {
            throw new ErrnoException(
                    "looking for " + NAME,
                    Errno.ENODEV,
                    "The connection manager of the kernel is not loaded: run modprobe rdma_ucm");
        }
        CharacterDevice found = device.get();
        return new CmDevice(
                LinuxKernel.of(kernel).infinibandDirectory().resolve(found.name()), found.number(), found.abi());
    }

    private static Optional<CharacterDevice> askNetlink(Kernel kernel) throws RdmaException {
        try (RdmaNetlink netlink = RdmaNetlink.open(kernel)) {
            return Optional.of(Discovery.characterDevice(
                    netlink.ask(NetlinkRequest.one("RDMA_NLDEV_CMD_GET_CHARDEV " + NAME, RDMA_NLDEV_CMD_GET_CHARDEV)
                            .string(RDMA_NLDEV_ATTR_CHARDEV_TYPE, NAME))));
        } catch (ErrnoException noAnswer) {
            RdmaNetlink.rethrowIfExhausted(noAnswer);
            return Optional.empty();
        }
    }

    /** An operation on the path of the node. */
    @FunctionalInterface
    public interface NodeUse<T> {
        T with(String path) throws RdmaException;
    }

    /**
     * Opens the node, or runs a similar operation on its path. The path is cached, and located again if the node has no
     * device, for example after the module was reloaded.
     */
    public static <T> T onNode(Kernel kernel, NodeUse<T> use) throws RdmaException {
        Located known = last;
        if (known != null && known.kernel().equals(kernel)) {
            try {
                return use.with(known.device().node().toString());
            } catch (ErrnoException e) {
                if (!GONE.contains(e.errno())) {
                    throw e;
                }
            }
        }
        Located found = new Located(kernel, locate(kernel));
        last = found;
        return use.with(found.device().node().toString());
    }
}
