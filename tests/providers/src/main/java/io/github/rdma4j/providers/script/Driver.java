// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.script;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * A driver under test: what the harness has to know of the driver so that the same script runs on its provider in Java and on its
 * library in C. The sources of the library's side are resources beside the class of the modes, {@code NAME.c} among them.
 *
 * @param name the name of the driver, as in {@code ./rdma4j verify provider NAME}
 * @param identity how libibverbs finds the device
 * @param modes the devices and kernels that scripts run on, at least one
 * @param helpers more sources of the library's side
 * @param peerSources sources that a program needs whose device is in another process
 * @param source where the libraries of the library's side come from
 */
public record Driver(
        String name,
        Identity identity,
        List<Mode> modes,
        List<String> helpers,
        List<String> peerSources,
        Libraries.Source source) {
    /** A driver whose library is installed, and whose side in C has one source. */
    public Driver(String name, Identity identity, Mode... modes) {
        this(name, identity, List.of(modes), List.of(), List.of(), () -> Libraries.INSTALLED);
    }

    /** The class that the sources of the library's side are beside. */
    public Class<?> place() {
        return modes.get(0).getClass();
    }

    /** The libraries of the library's side. */
    public Libraries libraries() throws IOException, InterruptedException {
        return source.get();
    }

    /** The mode that is called {@code mode}. */
    public Mode mode(String mode) {
        return modes.stream()
                .filter(each -> each.name().equals(mode))
                .findFirst()
                .orElseThrow();
    }

    @Override
    public String toString() {
        return name;
    }

    /**
     * What sysfs says of the device.
     *
     * @param device the name of the device
     * @param nodeType as in the file {@code node_type}
     * @param modalias the PCI device, by which libibverbs chooses the library
     * @param driverAbi the version of the driver's ABI
     */
    public record Identity(String device, String nodeType, String modalias, int driverAbi) {
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
