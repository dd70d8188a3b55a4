// SPDX-License-Identifier: Apache-2.0
/** Well-behaved clients. They check that the servers still work after a fault. */
@NullMarked
package io.github.rdma4j.lab.soak.probe;

import org.jspecify.annotations.NullMarked;
