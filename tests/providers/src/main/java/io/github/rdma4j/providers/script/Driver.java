// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.script;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * A driver under test: what the harness has to know of the driver so that the same script runs on its provider in Java and on its
 * library in C.
 */
public interface Driver {
    /** The name of the driver, as in {@code ./rdma4j verify provider NAME}. */
    String name();

    /** The devices and kernels that scripts run on, at least one. */
    List<Mode> modes();

    /** How libibverbs finds the device. */
    Identity identity();

    /** The source of the library's side, a resource beside this class. */
    default String source() {
        return name() + ".c";
    }

    /** More sources beside this class that {@link #source} needs. */
    default List<String> helpers() {
        return List.of();
    }

    /** Sources beside this class that a program needs whose device is in another process. */
    default List<String> peerSources() {
        return List.of();
    }

    /** The libraries of the library's side. */
    default Libraries libraries() throws IOException, InterruptedException {
        return Libraries.INSTALLED;
    }

    /** The mode that is called {@code name}. */
    default Mode mode(String name) {
        return modes().stream()
                .filter(mode -> mode.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /**
     * What sysfs says of the device.
     *
     * @param device the name of the device
     * @param nodeType as in the file {@code node_type}
     * @param modalias the PCI device, by which libibverbs chooses the library
     * @param driverAbi the version of the driver's ABI
     */
    record Identity(String device, String nodeType, String modalias, int driverAbi) {
        /** The files by their path in {@code class}. The node is that of /dev/null, which programs open instead. */
        Map<String, String> sysfs() {
            return Map.of(
                    "infiniband_verbs/abi_version",
                    "6",
                    "infiniband_verbs/uverbs0/abi_version",
                    Integer.toString(driverAbi),
                    "infiniband_verbs/uverbs0/dev",
                    "1:3",
                    "infiniband_verbs/uverbs0/ibdev",
                    device,
                    "infiniband/" + device + "/node_type",
                    nodeType,
                    "infiniband/" + device + "/node_guid",
                    "0000:0000:0000:1234",
                    "infiniband/" + device + "/fw_ver",
                    "16.35.2000",
                    "infiniband/" + device + "/device/modalias",
                    modalias);
        }
    }
}
