// SPDX-License-Identifier: Apache-2.0
/** The guest in which a recording runs: its RDMA device, its programs, and waiting for events in the guest. */
@NullMarked
package io.github.rdma4j.research.semantics.guest;

import org.jspecify.annotations.NullMarked;
