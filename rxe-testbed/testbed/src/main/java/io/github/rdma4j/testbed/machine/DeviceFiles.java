// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.machine;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the RDMA device of a guest takes beside the kernel's package.
 *
 * @param module the device's module, which the guest loads
 * @param backend the library to preload into QEMU, see {@link PvrdmaBackend}
 */
public record DeviceFiles(@Nullable Path module, @Nullable Path backend) {
    /** The kernel's package has everything. */
    public static final DeviceFiles NONE = new DeviceFiles(null, null);

    /** The files that there are. */
    public List<Path> present() {
        return Stream.of(module, backend).filter(Objects::nonNull).toList();
    }
}
