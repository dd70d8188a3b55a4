// SPDX-License-Identifier: Apache-2.0
/** Tests of what users meet where RDMA is missing; they run on this machine and need no device. */
@NullMarked
package io.github.rdma4j.host;

import org.jspecify.annotations.NullMarked;
