// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.ioctl.ControlPath;
import io.github.rdma4j.internal.provider.DriverContext;

/**
 * The parts of the protection domain and the device that a memory region needs.
 *
 * @param pd the protection domain, which closes the region
 * @param pdHandle the kernel's handle of the protection domain
 * @param device the name of the device, for messages
 * @param control the commands of the device
 * @param driver the driver of the device
 * @param files the keeper of memory that the device may access
 */
record RegionHost(
        VerbsObject pd, int pdHandle, String device, ControlPath control, DriverContext driver, OpenFiles files) {}
