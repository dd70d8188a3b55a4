// SPDX-License-Identifier: Apache-2.0
/** The driver of Intel's RDMA devices in the harness. */
@NullMarked
package io.github.rdma4j.providers.irdma;

import org.jspecify.annotations.NullMarked;
