package dev.ratelimit.web.servlet;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.http.MediaType;
import org.springframework.web.HttpMediaTypeNotAcceptableException;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.ServletWebRequest;
import org.springframework.web.method.ControllerAdviceBean;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.method.annotation.ExceptionHandlerMappingInfo;
import org.springframework.web.method.annotation.ExceptionHandlerMethodResolver;
import org.springframework.web.method.support.HandlerMethodArgumentResolverComposite;
import org.springframework.web.method.support.HandlerMethodReturnValueHandlerComposite;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.mvc.method.annotation.ExceptionHandlerExceptionResolver;
import org.springframework.web.servlet.mvc.method.annotation.ServletInvocableHandlerMethod;

/**
 * Calls those exception handlers of an application that name the type of the exception,
 * wherever they stand, and passes by those that would take any exception.
 */
final class NamingExceptionHandlerResolver extends ExceptionHandlerExceptionResolver {

	private final Map<ControllerAdviceBean, ExceptionHandlerMethodResolver> adviceHandlers;

	private final Map<Class<?>, ExceptionHandlerMethodResolver> controllerHandlers = new ConcurrentHashMap<>();

	/**
	 * Creates a resolver that calls handlers just as another one would.
	 */
	NamingExceptionHandlerResolver(ExceptionHandlerExceptionResolver resolver) {
		this.adviceHandlers = resolver.getExceptionHandlerAdviceCache();
		setApplicationContext(resolver.getApplicationContext());
		setContentNegotiationManager(resolver.getContentNegotiationManager());
		HandlerMethodArgumentResolverComposite argumentResolvers = resolver.getArgumentResolvers();
		setArgumentResolvers((argumentResolvers != null) ? argumentResolvers.getResolvers() : null);
		HandlerMethodReturnValueHandlerComposite returnValueHandlers = resolver.getReturnValueHandlers();
		setReturnValueHandlers((returnValueHandlers != null) ? returnValueHandlers.getHandlers() : null);
	}

	@Override
	protected boolean hasGlobalExceptionHandlers() {
		return !this.adviceHandlers.isEmpty();
	}

	@Override
	protected @Nullable ServletInvocableHandlerMethod getExceptionHandlerMethod(@Nullable HandlerMethod handlerMethod,
			Exception exception, ServletWebRequest request) {
		List<MediaType> accepted = acceptedMediaTypes(request);
		if (handlerMethod != null) {
			ExceptionHandlerMappingInfo mapping = find(controllerHandlers(handlerMethod), exception, accepted);
			if (mapping != null) {
				return invocable(handlerMethod.getBean(), mapping, request);
			}
		}
		Class<?> controllerType = (handlerMethod != null) ? controllerType(handlerMethod) : null;
		for (Map.Entry<ControllerAdviceBean, ExceptionHandlerMethodResolver> advice : this.adviceHandlers.entrySet()) {
			if (advice.getKey().isApplicableToBeanType(controllerType)) {
				ExceptionHandlerMappingInfo mapping = find(advice.getValue(), exception, accepted);
				if (mapping != null) {
					return invocable(advice.getKey().resolveBean(), mapping, request);
				}
			}
		}
		return null;
	}

	private List<MediaType> acceptedMediaTypes(ServletWebRequest request) {
		try {
			return getContentNegotiationManager().resolveMediaTypes(request);
		}
		catch (HttpMediaTypeNotAcceptableException ex) {
			return List.of(MediaType.ALL);
		}
	}

	private ExceptionHandlerMethodResolver controllerHandlers(HandlerMethod handlerMethod) {
		return this.controllerHandlers.computeIfAbsent(handlerMethod.getBeanType(),
				ExceptionHandlerMethodResolver::new);
	}

	private static Class<?> controllerType(HandlerMethod handlerMethod) {
		Class<?> beanType = handlerMethod.getBeanType();
		return Proxy.isProxyClass(beanType) ? AopUtils.getTargetClass(handlerMethod.getBean()) : beanType;
	}

	private static @Nullable ExceptionHandlerMappingInfo find(ExceptionHandlerMethodResolver handlers,
			Exception exception, List<MediaType> accepted) {
		for (MediaType mediaType : accepted) {
			ExceptionHandlerMappingInfo mapping = handlers.resolveExceptionMappingByExceptionType(exception.getClass(),
					mediaType);
			if (mapping != null && names(mapping, exception)) {
				return mapping;
			}
		}
		return null;
	}

	private static boolean names(ExceptionHandlerMappingInfo mapping, Exception exception) {
		return mapping.getExceptionTypes()
			.stream()
			.anyMatch((type) -> type.isInstance(exception) && !type.isAssignableFrom(RuntimeException.class));
	}

	private ServletInvocableHandlerMethod invocable(Object bean, ExceptionHandlerMappingInfo mapping,
			ServletWebRequest request) {
		if (!mapping.getProducibleTypes().isEmpty()) {
			request.setAttribute(HandlerMapping.PRODUCIBLE_MEDIA_TYPES_ATTRIBUTE, mapping.getProducibleTypes(),
					RequestAttributes.SCOPE_REQUEST);
		}
		return new ServletInvocableHandlerMethod(bean, mapping.getHandlerMethod(), getApplicationContext());
	}

}
