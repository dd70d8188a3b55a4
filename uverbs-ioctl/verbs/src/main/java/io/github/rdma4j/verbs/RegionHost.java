// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.ioctl.ControlPath;
import io.github.rdma4j.internal.provider.DriverContext;

/**
 * What a memory region needs of its protection domain and device.
 *
 * @param pd the protection domain, which closes the region
 * @param pdHandle the number of the protection domain in the kernel
 * @param device the name of the device, for messages
 * @param control the commands of the device
 * @param driver the driver of the device
 * @param files keeps memory that the device may reach
 */
record RegionHost(
        VerbsObject pd, int pdHandle, String device, ControlPath control, DriverContext driver, OpenFiles files) {}
