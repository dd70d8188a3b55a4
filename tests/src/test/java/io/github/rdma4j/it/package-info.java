// SPDX-License-Identifier: Apache-2.0
/** Tests of the library against a running kernel with the testbed's soft-RoCE device. */
@NullMarked
package io.github.rdma4j.it;

import org.jspecify.annotations.NullMarked;
