// SPDX-License-Identifier: Apache-2.0
/** The driver of Broadcom's NetXtreme-E in scripts. */
@NullMarked
package io.github.rdma4j.providers.bnxt;

import org.jspecify.annotations.NullMarked;
